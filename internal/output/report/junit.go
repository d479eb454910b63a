package report

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/output/report/provenance"
)

// The JUnit report as Jenkins and GitLab read it: https://github.com/testmoapp/junitxml describes what they agree on. A
// file is a suite and a finding is a case. Servers compare runs by class and name of the cases, so neither contains a line
// number.
type (
	junitReport struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		// Properties are missing in all suites except the first one.
		Properties *junitProperties `xml:"properties"`
		Cases      []junitCase      `xml:"testcase"`
	}
	junitProperties struct {
		Properties []junitProperty `xml:"property"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name      string        `xml:"name,attr"`
		ClassName string        `xml:"classname,attr"`
		File      string        `xml:"file,attr,omitempty"`
		Line      int           `xml:"line,attr,omitempty"`
		Skipped   *junitSkipped `xml:"skipped"`
		Failure   *junitFailure `xml:"failure"`
		Output    string        `xml:"system-out,omitempty"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// junitName is the name of the report, and of the suite of findings without a file.
const junitName = "salint"

// writeJUnit writes findings at or above --fail-on as failures, findings below as skipped, and fixed findings as passed. The
// units whose applied objects change are the output of a case that passes.
func writeJUnit(w *bufio.Writer, r *finding.Result, o Options) error {
	report := junitReport{Name: junitName}
	p, names := pathsOf(r), map[string]int{}
	all := slices.Concat(r.Findings, r.Suppressed)
	finding.Sort(all)
	for _, f := range all {
		file := junitFile(f, p)
		if last := len(report.Suites) - 1; last < 0 || report.Suites[last].Name != file {
			report.Suites = append(report.Suites, junitSuite{Name: file})
		}
		suite := &report.Suites[len(report.Suites)-1]
		if f.Suppression != nil {
			suite.Cases = append(suite.Cases, junitSuppressedOf(f, p, names))
			continue
		}
		suite.Cases = append(suite.Cases, junitCaseOf(f, p, o.FailOn, names))
	}
	if lines := changeLines(r, p); len(lines) > 0 {
		changed := junitCase{Name: "changed deployment units", ClassName: report.Name, Output: strings.Join(lines, "\n")}
		report.Suites = append(report.Suites, junitSuite{Name: report.Name, Cases: []junitCase{changed}})
	}
	if gap := r.Coverage().Gap(); gap != "" {
		name := "not checked"
		if r.Summary.Unchecked != "" {
			name = "nothing was checked"
		}
		unchecked := junitCase{Name: name, ClassName: report.Name, Skipped: &junitSkipped{gap}}
		report.Suites = append(report.Suites, junitSuite{Name: report.Name, Cases: []junitCase{unchecked}})
	}
	if len(report.Suites) == 0 {
		// Jenkins treats a report without cases as broken.
		report.Suites = []junitSuite{{Name: report.Name, Cases: []junitCase{{Name: "no findings", ClassName: report.Name}}}}
	}
	report.Suites[0].Properties = junitPropertiesOf(r)
	report.count()
	w.WriteString(xml.Header)
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(report); err != nil {
		return err
	}
	return w.WriteByte('\n')
}

// junitPropertiesOf returns how the report was made; nil if that is not known. The whole report has no place for properties.
func junitPropertiesOf(r *finding.Result) *junitProperties {
	var all []junitProperty
	for _, p := range provenance.Properties(r) {
		all = append(all, junitProperty{p.Name, safetext.Text(p.Value)})
	}
	if all == nil {
		return nil
	}
	return &junitProperties{all}
}

// junitFile returns the file of a finding as the name of its suite.
func junitFile(f finding.Finding, p paths) string {
	return cmp.Or(safetext.Text(p.rel(f.File)), junitName)
}

// junitCaseOf counts how often each name is used: several findings of a rule about one object are numbered.
func junitCaseOf(f finding.Finding, p paths, failOn finding.Severity, names map[string]int) junitCase {
	file := junitFile(f, p)
	name := strings.TrimSpace(strings.Join([]string{f.Rule, objectText(f.Resource), f.Path}, " "))
	key := file + "\x00" + name
	if names[key]++; names[key] > 1 {
		name = fmt.Sprintf("%s (%d)", name, names[key])
	}
	c := junitCase{Name: safetext.Text(name), ClassName: file, File: file, Line: max(f.Range.Line, 1)}
	message, details := safetext.Text(f.Message), junitDetails(f, file)
	switch {
	case f.Fixed():
		c.Output = resultText(f, p)
	case failOn == finding.Off || f.Severity < failOn:
		c.Skipped, c.Output = &junitSkipped{f.Severity.String() + ": " + message}, details
	default:
		c.Failure = &junitFailure{message, f.Severity.String(), details}
	}
	return c
}

func junitDetails(f finding.Finding, file string) string {
	place := f.Range.Whole()
	text := fmt.Sprintf("%s:%d:%d: %s: %s [%s]", file, place.Line, place.Column, f.Severity, safetext.Text(f.Message), safetext.Text(f.Rule))
	if f.Target != "" && f.Target != olm.AutoTarget {
		text += "\ntarget: " + safetext.Text(f.Target)
	}
	if f.Fix != nil {
		text += "\n" + offerText(f.Fix)
	}
	return text
}

// objectText returns kind and name of an object, or "" for a finding about a file.
func objectText(r finding.Resource) string {
	switch {
	case r.Kind == "":
		return ""
	case r.Namespace != "":
		return r.Kind + " " + r.Namespace + "/" + r.Name
	}
	return r.Kind + " " + r.Name
}

func (r *junitReport) count() {
	for i := range r.Suites {
		s := &r.Suites[i]
		for _, c := range s.Cases {
			s.Tests++
			if c.Failure != nil {
				s.Failures++
			}
			if c.Skipped != nil {
				s.Skipped++
			}
		}
		r.Tests, r.Failures, r.Skipped = r.Tests+s.Tests, r.Failures+s.Failures, r.Skipped+s.Skipped
	}
}
