package report

import (
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/salint/salint/internal/config/finding"
)

// allowed are the elements and attributes of the report by https://github.com/testmoapp/junitxml, which Jenkins and GitLab read.
var junitAllowed = map[string]struct{ within, attributes []string }{
	"testsuites": {[]string{""}, []string{"name", "tests", "failures", "errors", "skipped", "assertions", "time", "timestamp"}},
	"testsuite":  {[]string{"testsuites"}, []string{"name", "tests", "failures", "errors", "skipped", "assertions", "time", "timestamp", "file"}},
	"properties": {[]string{"testsuite"}, nil},
	"property":   {[]string{"properties"}, []string{"name", "value"}},
	"testcase":   {[]string{"testsuite"}, []string{"name", "classname", "assertions", "time", "file", "line"}},
	"skipped":    {[]string{"testcase"}, []string{"message"}},
	"failure":    {[]string{"testcase"}, []string{"message", "type"}},
	"system-out": {[]string{"testcase"}, nil},
}

// counts are the numbers that a suite states, or that it contains.
type counts struct{ tests, failures, skipped int }

// TestJUnitIsAsServersReadIt checks structure and sums by the tokens of the report, not with the types that wrote it.
func TestJUnitIsAsServersReadIt(t *testing.T) {
	t.Parallel()
	for name, result := range map[string]func(*testing.T) *finding.Result{"mixed": mixed, "fixed": fixed, "hostile": hostile, "clean": clean, "limited": limited} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkJUnit(t, render(t, "junit", result(t), Options{FailOn: finding.Warning}))
		})
	}
}

func checkJUnit(t *testing.T, report []byte) {
	t.Helper()
	var path []string
	var stated, found [2]counts // of all suites, and of the present one
	names := map[string]bool{}
	decoder := xml.NewDecoder(bytes.NewReader(report))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("invalid XML: %v\n%s", err, report)
		}
		switch element := token.(type) {
		case xml.StartElement:
			name := element.Name.Local
			checkElement(t, element, path)
			switch name {
			case "testsuites":
				stated[0] = statedBy(t, element)
			case "testsuite":
				stated[1], found[1] = statedBy(t, element), counts{}
			case "testcase":
				found[1].tests++
				key := attribute(element, "classname") + "\x00" + attribute(element, "name")
				if names[key] {
					t.Errorf("two cases have the name %q", key)
				}
				names[key] = true
			case "failure":
				found[1].failures++
			case "skipped":
				found[1].skipped++
			}
			path = append(path, name)
		case xml.EndElement:
			path = path[:len(path)-1]
			if element.Name.Local == "testsuite" {
				if stated[1] != found[1] {
					t.Errorf("a suite states %v and has %v", stated[1], found[1])
				}
				found[0] = counts{found[0].tests + found[1].tests, found[0].failures + found[1].failures, found[0].skipped + found[1].skipped}
			}
		}
	}
	if stated[0] != found[0] || found[0].tests == 0 {
		t.Errorf("the report states %v and has %v", stated[0], found[0])
	}
}

func checkElement(t *testing.T, element xml.StartElement, path []string) {
	t.Helper()
	within := ""
	if len(path) > 0 {
		within = path[len(path)-1]
	}
	allowed, known := junitAllowed[element.Name.Local]
	if !known || !slices.Contains(allowed.within, within) {
		t.Errorf("<%s> in <%s>", element.Name.Local, within)
	}
	for _, a := range element.Attr {
		if !slices.Contains(allowed.attributes, a.Name.Local) {
			t.Errorf("<%s> has no attribute %s", element.Name.Local, a.Name.Local)
		}
	}
	if slices.Contains([]string{"testsuite", "testcase"}, element.Name.Local) && attribute(element, "name") == "" {
		t.Errorf("<%s> has no name", element.Name.Local)
	}
}

func attribute(element xml.StartElement, name string) string {
	for _, a := range element.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func statedBy(t *testing.T, element xml.StartElement) counts {
	t.Helper()
	number := func(name string) int {
		n, err := strconv.Atoi(attribute(element, name))
		if err != nil {
			t.Errorf("<%s %s>: %v", element.Name.Local, name, err)
		}
		return n
	}
	if number("errors") != 0 {
		t.Error("findings are not errors of a test")
	}
	return counts{number("tests"), number("failures"), number("skipped")}
}

func TestJUnitFailures(t *testing.T) {
	t.Parallel()
	for severity, want := range map[finding.Severity]int{finding.Error: 2, finding.Warning: 4, finding.Note: 5, finding.Off: 0} {
		report := string(render(t, "junit", mixed(t), Options{FailOn: severity}))
		if got := strings.Count(report, "<failure"); got != want {
			t.Errorf("--fail-on %v: %d failures, want %d", severity, got, want)
		}
	}
}

// Findings of one rule about one object are separate cases, and a moved line does not change a case.
func TestJUnitNames(t *testing.T) {
	t.Parallel()
	twice := func(line int) *finding.Result {
		f := finding.Finding{Rule: "a/b", Severity: finding.Error, File: "x.yaml", Message: "m", Range: finding.Range{Line: line}}
		g := f
		g.Message, g.Range.Line = "n", line+1
		return &finding.Result{Findings: []finding.Finding{f, g}}
	}
	here, moved := render(t, "junit", twice(1), Options{}), render(t, "junit", twice(7), Options{})
	checkJUnit(t, here)
	for _, name := range []string{`name="a/b"`, `name="a/b (2)"`} {
		if !bytes.Contains(here, []byte(name)) || !bytes.Contains(moved, []byte(name)) {
			t.Errorf("no case has %s:\n%s", name, here)
		}
	}
}
