package judging

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/rules/evaluate"
	"github.com/salint/salint/rules/metadata"
)

// Failure is a rule that failed on an object, as a finding.
type Failure struct {
	finding.Finding
	// rule is the rule that failed, and stopped is set if it is not evaluated on further objects.
	rule    string
	stopped bool
	stack   string
}

// addFailures keeps the errors of rules that failed on the object of a task. It returns any other error: that one ends the run.
func (j *Judge) addFailures(t Task, err error) error {
	failed, other := evaluate.Failures(err)
	for _, e := range failed {
		about := e.Object
		if about == nil {
			about = t.Unit.Objects[0]
		}
		found := j.finding(t.Unit, t.resolved, evaluate.Report{
			Rule: finding.RuleFailed.Name, Severity: finding.RuleFailed.Severity, Object: about, Message: j.failureMessage(e, t),
		})
		j.mu.Lock()
		j.failed = append(j.failed, Failure{found, e.Rule, e.Stopped(), e.Stack()})
		j.mu.Unlock()
	}
	return other
}

// failureMessage returns the first line of the error: further lines can have values of manifests, such as data of Secrets.
func (j *Judge) failureMessage(e *evaluate.Error, t Task) string {
	on, unknown := t.Unit.String(), "its findings there are unknown"
	if e.Object != nil {
		on = strings.TrimSpace(e.Object.Kind + " " + e.Object.Name)
	}
	if e.Stopped() {
		unknown = "its findings there and on other objects are unknown"
	}
	why, _, _ := strings.Cut(e.Err.Error(), "\n")
	why = j.options.WithoutFolders(why)
	if why = strings.TrimRight(why, ".:"); !strings.HasSuffix(why, "?") {
		why += "."
	}
	return fmt.Sprintf("%s failed on %s, so %s: %s %s", e.Rule, on, unknown, why, e.Remedy())
}

// WithoutFolders names files of policies from their folder in a text, so that it is the same on all machines.
func (o Options) WithoutFolders(text string) string {
	for _, dir := range o.Policies {
		dir, _ = metadata.SplitDigest(dir)
		text = strings.ReplaceAll(text, filepath.Clean(dir)+string(filepath.Separator), filepath.Base(dir)+"/")
	}
	return text
}

// AddFailures adds rules that failed to the findings, whatever files are selected: what they would report there is unknown. Ignore
// comments, the baseline, and settings do not apply, because they cannot accept what is unknown. A rule that was stopped is one finding.
func (r *Result) AddFailures(failed []Failure) {
	slices.SortFunc(failed, func(a, b Failure) int {
		return cmp.Or(
			strings.Compare(a.File, b.File), a.Range.Start-b.Range.Start, strings.Compare(a.Message, b.Message), strings.Compare(a.Target, b.Target),
		)
	})
	type key struct {
		place   finding.Identity
		rule    string
		message string
	}
	seen, stopped := map[key]bool{}, map[string]bool{}
	for _, f := range failed {
		this := key{f.Shown(), f.rule, f.Message}
		if seen[this] || f.stopped && stopped[f.rule] {
			continue
		}
		seen[this], stopped[f.rule] = true, stopped[f.rule] || f.stopped
		r.Incomplete = true
		r.Failed = append(r.Failed, f.Finding)
		if f.stack != "" {
			r.Stacks = words.AddOnce(r.Stacks, f.Message+"\n"+f.stack)
		}
	}
}

// Failures are the failures of rules.
func (j *Judge) Failures() []Failure { return j.failed }
