package testreport

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/salint/salint/rules/policy"
)

// The outcomes of a result.
const (
	Passed  = "passed"
	Failed  = "failed"
	Skipped = "skipped"
)

// Result is the result of a test or of an example.
type Result struct {
	// Name is that of a test with its package, or that of an example with its rule.
	Name string `json:"name"`
	// Example is set for an example.
	Example bool   `json:"example"`
	File    string `json:"file"`
	// Line is that of a test; 0 for an example.
	Line    int    `json:"line,omitempty"`
	Outcome string `json:"outcome"`
	// Message is why it failed, if there is more to say than that.
	Message string `json:"message,omitempty"`
	// Output is what it printed, and which calls of functions failed.
	Output []string `json:"output,omitempty"`
	// Seconds is how long a test took.
	Seconds float64 `json:"-"`
}

// Coverage are the lines of a policy that tests and examples can reach.
type Coverage struct {
	File    string `json:"file"`
	Reached int    `json:"reached"`
	Lines   int    `json:"lines"`
	// Missed are the lines that none of them has reached.
	Missed []int `json:"missed,omitempty"`
}

// Report is the result of a run.
type Report struct {
	Results []Result `json:"results"`
	// Coverage is nil unless it was requested.
	Coverage []Coverage `json:"coverage,omitempty"`
	// Untested is set if the folder has no tests; examples are none.
	Untested bool `json:"-"`
	// Notes are about files that look like rules and are not loaded.
	Notes []string `json:"notes,omitempty"`
	// Selected is set if only some tests and examples were run.
	Selected bool `json:"-"`
}

// AddTests adds the results of tests in Rego.
func (r *Report) AddTests(tests []policy.TestResult) {
	for _, t := range tests {
		result := Result{Name: t.Name, File: t.File, Line: t.Row, Outcome: Passed, Message: t.Why, Output: linesOf(t.Prints), Seconds: t.Time.Round(time.Millisecond).Seconds()}
		switch {
		case t.Skipped:
			result.Outcome = Skipped
		case t.Failed:
			result.Outcome = Failed
		}
		r.Results = append(r.Results, result)
	}
}

// AddCoverage adds the coverage of policies.
func (r *Report) AddCoverage(files map[string]policy.Lines) {
	for file, lines := range files {
		c := Coverage{File: file, Missed: slices.Compact(slices.Sorted(slices.Values(lines.Missed)))}
		reached := slices.Compact(slices.Sorted(slices.Values(lines.Reached)))
		c.Missed = slices.DeleteFunc(c.Missed, func(row int) bool { return slices.Contains(reached, row) })
		c.Reached, c.Lines = len(reached), len(reached)+len(c.Missed)
		r.Coverage = append(r.Coverage, c)
	}
	slices.SortFunc(r.Coverage, func(a, b Coverage) int { return cmp.Compare(a.File, b.File) })
}

// RelativeTo shortens the names of files in a folder.
func (r *Report) RelativeTo(dir string) {
	short := func(file string) string {
		return strings.TrimPrefix(file, strings.TrimSuffix(filepath.ToSlash(dir), "/")+"/")
	}
	for i := range r.Results {
		r.Results[i].File = short(r.Results[i].File)
		r.Results[i].Message = strings.ReplaceAll(r.Results[i].Message, strings.TrimSuffix(filepath.ToSlash(dir), "/")+"/", "")
		for j, line := range r.Results[i].Output {
			r.Results[i].Output[j] = short(line)
		}
	}
	for i := range r.Notes {
		r.Notes[i] = short(r.Notes[i])
	}
	for i := range r.Coverage {
		r.Coverage[i].File = short(r.Coverage[i].File)
	}
}

// Count returns how many tests, or examples, have an outcome.
func (r *Report) Count(examples bool, outcome string) int {
	n := 0
	for _, result := range r.Results {
		if result.Example == examples && result.Outcome == outcome {
			n++
		}
	}
	return n
}

// Failures returns how many tests and examples failed.
func (r *Report) Failures() int { return r.Count(false, Failed) + r.Count(true, Failed) }
