package silence

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
)

var (
	app   = finding.Resource{APIVersion: "v1", Kind: "App", Name: "app"}
	other = finding.Resource{APIVersion: "v1", Kind: "App", Name: "other"}
	today = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	known = []string{"olm/x", "olm/y", "pod/z"}
)

// at returns a finding about a field.
func at(rule string, line int) finding.Finding {
	return finding.Finding{Rule: rule, Severity: finding.Warning, File: "x.yaml", Resource: app, Path: "spec.a", Range: finding.Range{Line: line, EndLine: line + 1}}
}

// about returns a finding about a whole object.
func about(rule string, r finding.Resource, first, last int) finding.Finding {
	return finding.Finding{Rule: rule, File: "x.yaml", Resource: r, Range: finding.Range{Line: first, EndLine: last}}
}

func show(findings []finding.Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, fmt.Sprintf("%s:%d %s %s", f.File, f.Range.Line, f.Rule, f.Message))
	}
	return out
}

func parse(texts map[string]string) map[string][]Directive {
	out := map[string][]Directive{}
	for name, text := range texts {
		out[name] = Parse(manifest.Scan(name, []byte(text)))
	}
	return out
}

func TestApplyComments(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text       string
		findings   []finding.Finding
		suppressed int
		notes      []string
	}{
		"on the line": {"a: 1 # salint:ignore olm/x why\n", []finding.Finding{at("olm/x", 1)}, 1, nil},
		"above":       {"# salint:ignore olm/x why\na: 1\n", []finding.Finding{at("olm/x", 2)}, 1, nil},
		"a pattern":   {"# salint:ignore olm/* why\na: 1\n", []finding.Finding{at("olm/x", 2), at("olm/y", 2)}, 2, nil},
		"another line": {"a: 1 # salint:ignore olm/x why\nb: 1\n", []finding.Finding{at("olm/x", 2)}, 0,
			[]string{`x.yaml:1 repo/unused-ignore this ignore of "olm/x" has no effect: remove it`}},
		"another rule": {"a: 1 # salint:ignore olm/x why\n", []finding.Finding{at("olm/y", 1)}, 0,
			[]string{`x.yaml:1 repo/unused-ignore this ignore of "olm/x" has no effect: remove it`}},
		"the second line of a field": {"a:\n  b: 1 # salint:ignore olm/x why\n", []finding.Finding{at("olm/x", 1)}, 0,
			[]string{`x.yaml:2 repo/unused-ignore this ignore of "olm/x" has no effect: remove it`}},
		"any line of an object": {"a:\n  b: 1 # salint:ignore olm/x why\nc: 1\n", []finding.Finding{about("olm/x", app, 1, 3)}, 1, nil},
		"beyond an object": {"a: 1\nb: 1\n---\nc: 1 # salint:ignore olm/x why\n", []finding.Finding{about("olm/x", app, 1, 2)}, 0,
			[]string{`x.yaml:4 repo/unused-ignore this ignore of "olm/x" has no effect: remove it`}},
		"the whole file": {"# salint:ignore-file olm/x why\na: 1\n", []finding.Finding{at("olm/x", 9), at("olm/x", 99), at("olm/y", 2)}, 2, nil},
		"the last day":   {"a: 1 # salint:ignore olm/x until=2026-11-21 why\n", []finding.Finding{at("olm/x", 1)}, 1, nil},
		"the day after": {"a: 1 # salint:ignore olm/x until=2026-11-20 why\n", []finding.Finding{at("olm/x", 1)}, 0,
			[]string{`x.yaml:1 repo/unused-ignore this ignore of "olm/x" expired on 2026-11-20: fix the finding, remove the ignore, or set a new date`}},
		"no reason": {"a: 1 # salint:ignore olm/x\n", []finding.Finding{at("olm/x", 1)}, 1,
			[]string{`x.yaml:1 repo/unused-ignore "olm/x" is ignored without a reason: add the reason after the rule`}},
		"an unknown rule": {"a: 1 # salint:ignore olm/xx why\n", []finding.Finding{at("olm/x", 1)}, 0,
			[]string{`x.yaml:1 repo/unused-ignore unknown rule "olm/xx" in an ignore: did you mean olm/x?`}},
		"an unknown family": {"a: 1 # salint:ignore networking/* why\n", nil, 0,
			[]string{"x.yaml:1 repo/unused-ignore unknown rule \"networking/*\" in an ignore: see `salint rules`"}},
		"one of two": {"a: 1 # salint:ignore olm/x,olm/y why\n", []finding.Finding{at("olm/y", 1)}, 1,
			[]string{`x.yaml:1 repo/unused-ignore this ignore of "olm/x" has no effect: remove it`}},
		"two of one": {"# salint:ignore-file olm/x why\na: 1 # salint:ignore olm/x why\n", []finding.Finding{at("olm/x", 2)}, 1, nil},
		"a mistake": {"a: 1 # salint:ignore olm/x until=never why\n", []finding.Finding{at("olm/x", 1)}, 0,
			[]string{`x.yaml:1 repo/unused-ignore this comment has no effect: until="never" is not a date: use a date such as until=2027-01-31`}},
		"no rule at all": {"a: 1 # salint:ignore this\n", nil, 0,
			[]string{"x.yaml:1 repo/unused-ignore this comment has no effect: no rule is named: write `# salint:ignore RULE reason`"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kept, suppressed, notes := Apply(test.findings, parse(map[string]string{"x.yaml": test.text}), nil, Options{Now: today, Known: known})
			if len(suppressed) != test.suppressed || len(kept) != len(test.findings)-test.suppressed {
				t.Errorf("kept %v, suppressed %v", show(kept), show(suppressed))
			}
			if diff := cmp.Diff(test.notes, show(notes)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestApplySeparatesFiles(t *testing.T) {
	t.Parallel()
	directives := parse(map[string]string{"y.yaml": "# salint:ignore-file olm/x why\na: 1 # salint:ignore olm/y why\n"})
	kept, _, notes := Apply([]finding.Finding{at("olm/x", 2), at("olm/y", 2)}, directives, nil, Options{Now: today, Known: known})
	if len(kept) != 2 || len(notes) != 2 {
		t.Errorf("kept %v, notes %v", show(kept), show(notes))
	}
}

func TestApplyAnnotations(t *testing.T) {
	t.Parallel()
	annotation := func(value string) []Annotation {
		return []Annotation{{File: "x.yaml", Resource: app, Value: value, First: 1, Last: 20, Range: finding.Range{Line: 5}}}
	}
	findings := []finding.Finding{about("olm/x", app, 1, 20), at("pod/z", 9), about("olm/x", other, 30, 40), about("olm/x", app, 50, 60)}
	tests := map[string]struct {
		value      string
		suppressed []string
		notes      []string
	}{
		"one rule":  {"olm/x", []string{"x.yaml:1 olm/x "}, nil},
		"two rules": {" olm/x , pod/z,", []string{"x.yaml:1 olm/x ", "x.yaml:9 pod/z "}, nil},
		"a pattern": {"*", []string{"x.yaml:1 olm/x ", "x.yaml:9 pod/z "}, nil},
		"unused":    {"olm/y", nil, []string{`x.yaml:5 repo/unused-ignore this ignore of "olm/y" has no effect: remove it`}},
		"unknown":   {"x", nil, []string{"x.yaml:5 repo/unused-ignore unknown rule \"x\" in an ignore: see `salint rules`"}},
		"empty":     {" ", nil, []string{"x.yaml:5 repo/unused-ignore this annotation names no rule: set `salint/ignore: RULE`, or remove it"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, suppressed, notes := Apply(findings, nil, annotation(test.value), Options{Now: today, Known: known})
			if diff := cmp.Diff(test.suppressed, show(suppressed)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.notes, show(notes)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A run of some rules does not report ignores of other rules.
func TestApplyRulesThatDidNotRun(t *testing.T) {
	t.Parallel()
	directives := parse(map[string]string{"x.yaml": "# salint:ignore-file olm/y why\n# salint:ignore-file olm/x why\n# salint:ignore-file pod/* why\na: 1\n"})
	_, _, notes := Apply(nil, directives, nil, Options{Now: today, Known: known, Ran: func(rule string) bool { return rule == "olm/x" }})
	want := []string{`x.yaml:2 repo/unused-ignore this ignore of "olm/x" has no effect: remove it`}
	if diff := cmp.Diff(want, show(notes)); diff != "" {
		t.Error(diff)
	}
}

func TestApplyKeepsOrderAndSortsNotes(t *testing.T) {
	t.Parallel()
	texts, findings := map[string]string{}, []finding.Finding{}
	for i := range 50 {
		name := fmt.Sprintf("f%02d.yaml", 49-i)
		texts[name] = "# salint:ignore olm/x why\n"
		findings = append(findings, finding.Finding{Rule: "olm/y", File: name})
	}
	kept, _, notes := Apply(findings, parse(texts), nil, Options{Now: today, Known: known})
	if diff := cmp.Diff(findings, kept); diff != "" {
		t.Error(diff)
	}
	for i, n := range notes {
		if n.File != fmt.Sprintf("f%02d.yaml", i) || n.Severity != finding.Note {
			t.Errorf("note %d is about %s", i, n.File)
		}
	}
	if len(notes) != 50 {
		t.Errorf("%d notes", len(notes))
	}
}

func TestMessagesAreSafeToPrint(t *testing.T) {
	t.Parallel()
	text := "a: 1 # salint:ignore olm/\x1b[31m" + strings.Repeat("x", 500) + " why\n"
	_, _, notes := Apply(nil, parse(map[string]string{"x.yaml": text}), nil, Options{Now: today, Known: known})
	if len(notes) != 1 || strings.Contains(notes[0].Message, "\x1b") || len(notes[0].Message) > 300 {
		t.Errorf("%q", show(notes))
	}
}
