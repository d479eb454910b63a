package testreport

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/words"
)

// Formats are the formats of Write.
func Formats() []string { return []string{"text", "json", "junit"} }

// Write prints the report in a format. With verbose, the text also has what passed.
func (r *Report) Write(w io.Writer, format string, verbose bool) error {
	switch format {
	case "json":
		return r.writeJSON(w)
	case "junit":
		return r.writeJUnit(w)
	}
	_, err := io.WriteString(w, r.text(verbose))
	return err
}

func linesOf(text string) []string {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func (r *Report) text(verbose bool) string {
	var b strings.Builder
	for _, result := range r.Results {
		if verbose || result.Outcome == Failed || result.Example && result.Outcome == Skipped {
			result.write(&b)
		}
	}
	for _, c := range r.Coverage {
		fmt.Fprintf(&b, "%s: %d of %s reached%s\n", c.File, c.Reached, words.Count(c.Lines, "line"), missedText(c.Missed))
	}
	if r.Untested {
		b.WriteString("no tests: write rules named test_… in files named …_test.rego\n")
	}
	fmt.Fprintf(&b, "tests: %s\nexamples: %s\n", r.counts(false), r.counts(true))
	return b.String()
}

func (r *Result) write(b *strings.Builder) {
	place := r.File
	if r.Line > 0 {
		place += ":" + strconv.Itoa(r.Line)
	}
	fmt.Fprintf(b, "%s: %s: %s", place, r.Name, strings.ToUpper(r.Outcome))
	if r.Message != "" {
		b.WriteString(": " + r.Message)
	}
	b.WriteByte('\n')
	for _, line := range r.Output {
		b.WriteString("  " + line + "\n")
	}
}

func (r *Report) counts(examples bool) string {
	text := fmt.Sprintf("%d passed, %d failed", r.Count(examples, Passed), r.Count(examples, Failed))
	if n := r.Count(examples, Skipped); n > 0 {
		text += fmt.Sprintf(", %d skipped", n)
	}
	return text
}

// missedText lists lines as ranges.
func missedText(lines []int) string {
	if len(lines) == 0 {
		return ""
	}
	var ranges []string
	for i := 0; i < len(lines); {
		j := i
		for j+1 < len(lines) && lines[j+1] == lines[j]+1 {
			j++
		}
		text := strconv.Itoa(lines[i])
		if j > i {
			text += "-" + strconv.Itoa(lines[j])
		}
		ranges, i = append(ranges, text), j+1
	}
	return ", not line " + strings.Join(ranges, ", ")
}

func (r *Report) writeJSON(w io.Writer) error {
	out := struct {
		SchemaVersion string `json:"schemaVersion"`
		Passed        int    `json:"passed"`
		Failed        int    `json:"failed"`
		*Report
	}{"1", r.Count(false, Passed) + r.Count(true, Passed), r.Failures(), r}
	if r.Results == nil {
		r.Results = []Result{}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}

type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr,omitempty"`
		File    string        `xml:"file,attr"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitFailure `xml:"failure"`
		Skipped *struct{}     `xml:"skipped"`
		Output  string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
	}
)

// writeJUnit prints a suite of the tests, and one of the examples.
func (r *Report) writeJUnit(w io.Writer) error {
	suites := junitSuites{Suites: []junitSuite{{Name: "tests"}, {Name: "examples"}}}
	for _, result := range r.Results {
		suite := &suites.Suites[0]
		if result.Example {
			suite = &suites.Suites[1]
		}
		suite.add(&result)
	}
	text, err := xml.MarshalIndent(suites, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(text)+"\n")
	return err
}

func (s *junitSuite) add(r *Result) {
	class, name := r.Name, r.Name
	if i := strings.LastIndexAny(r.Name, ".:"); i >= 0 {
		class, name = r.Name[:i], strings.TrimSpace(r.Name[i+1:])
	}
	c := junitCase{Class: class, Name: name, File: r.File, Line: r.Line, Output: strings.Join(r.Output, "\n")}
	if !r.Example {
		c.Time = strconv.FormatFloat(r.Seconds, 'f', 3, 64)
	}
	s.Tests++
	switch r.Outcome {
	case Failed:
		s.Failures++
		c.Failure = &junitFailure{Message: r.Message}
		if r.Message == "" {
			c.Failure.Message = "the test is false or undefined"
		}
	case Skipped:
		s.Skipped++
		c.Skipped = &struct{}{}
	}
	s.Cases = append(s.Cases, c)
}
