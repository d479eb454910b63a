package rules_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/evaluate"
)

// worldOf returns the context of a repository with these files.
func worldOf(t testing.TB, files filestest.Tree) evalcontext.Context {
	t.Helper()
	units := assembly.Units(objectstest.Objects(t, files), objectstest.Kustomizations(t, files))
	target, err := olm.ParseTarget("olm-1.11")
	if err != nil {
		t.Fatal(err)
	}
	return evalcontext.Context{Unit: units[0], Units: units, Target: target, TargetAsked: true, TargetKnown: true}
}

// policyOf writes a policy with the METADATA of these tests and the given rules, and returns an evaluator of it.
func policyOf(t *testing.T, options rules.Options, replace *strings.Replacer, source string) *evaluate.Evaluator {
	t.Helper()
	dir := t.TempDir()
	text := header
	if replace != nil {
		text = replace.Replace(text)
	}
	write(t, filepath.Join(dir, "x.rego"), text+"package salint.rules.custom.x\n\nimport data.salint.lib\n\n"+source)
	options.PolicyDirs = []string{dir}
	registry, err := rules.Load(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	evaluator, err := registry.Evaluator(t.Context(), []string{"custom/x"})
	if err != nil {
		t.Fatal(err)
	}
	return evaluator
}

const configMaps = `apiVersion: v1
kind: ConfigMap
metadata: {name: one, namespace: a}
data:
  x: y
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: two
`

func TestReports(t *testing.T) {
	t.Parallel()
	w := worldOf(t, map[string]string{"maps.yaml": configMaps})
	evaluator := policyOf(t, rules.Options{}, nil, `
report contains lib.finding(["data", "x"], "plain") if input.resource.data.x

report contains finding if {
	input.resource.metadata.name == "one"
	some other in salint.find({"kind": "ConfigMap", "name": "two"})
	finding := lib.with_fix(
		lib.related(lib.with_severity(lib.at(lib.finding([], "elsewhere"), other.ref), "error"), salint.ref(input.resource), ["data", "x"], "here"),
		"set-field", "unsafe", {"path": ["data", "x"], "value": 3},
	)
}

report contains lib.without_fix(lib.finding(["metadata", "name"], "unfixable"), "because") if input.resource.data
`)
	got, err := evaluator.Evaluate(t.Context(), w, w.Unit.Objects[0])
	if err != nil {
		t.Fatal(err)
	}
	one, two := w.Unit.Objects[0], w.Unit.Objects[1]
	want := []evaluate.Report{
		{Rule: "custom/x", Severity: finding.Warning, Object: one, Path: manifest.Path{"data", "x"}, Message: "plain", Case: "plain"},
		{Rule: "custom/x", Severity: finding.Warning, Object: one, Path: manifest.Path{"metadata", "name"}, Message: "unfixable", Case: "unfixable", Unfixable: "because"},
		{
			Rule: "custom/x", Severity: finding.Error, Object: two, Path: manifest.Path{}, Message: "elsewhere", Case: "elsewhere",
			Related: []finding.Related{{File: "maps.yaml", Line: 5, Message: "here"}},
			Fix:     &evaluate.FixRequest{Name: "set-field", Kind: "unsafe", Args: map[string]any{"path": []any{"data", "x"}, "value": int64(3)}},
		},
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b *objects.Object) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
}

func TestReportsOfTheWrongShape(t *testing.T) {
	t.Parallel()
	w := worldOf(t, map[string]string{"maps.yaml": configMaps})
	for finding, want := range map[string]string{
		`"text"`:                     "a finding must be an object made by lib.finding",
		`{"path": []}`:               "message must be a non-empty string",
		`lib.finding([], " ")`:       "message must be a non-empty string",
		`lib.finding("data.x", "m")`: "a path must be an array of strings and numbers",
		`lib.finding([1.5], "m")`:    "must be an index",
		`lib.finding([-1], "m")`:     "must be an index",
		`lib.finding([true], "m")`:   "must contain strings and numbers",
		`lib.with_severity(lib.finding([], "m"), "fatal")`:                 "severity must be error, warning, or note, not another string",
		`lib.with_severity(lib.finding([], "m"), "off")`:                   "severity must be error, warning, or note, not another string",
		`lib.at(lib.finding([], "m"), "nowhere")`:                          "there is no object with the ref \"nowhere\"",
		`lib.related(lib.finding([], "m"), "nowhere", [], "x")`:            "related: there is no object with the ref \"nowhere\"",
		`object.union(lib.finding([], "m"), {"related": "x"})`:             "related must be an array",
		`object.union(lib.finding([], "m"), {"pth": "x"})`:                 `a finding cannot have the key "pth"; did you mean path?`,
		`lib.with_fix(lib.finding([], "m"), "prune-binding", "sound", {})`: "one of safe, unsafe, prune",
		`lib.without_fix(lib.finding([], "m"), 3)`:                         "unfixable must be the reason",
		`object.union(lib.finding([], "m"), {"fix": "x"})`:                 "a fix must be {name, kind, args} or null",
	} {
		evaluator := policyOf(t, rules.Options{}, nil, "used := lib.finding([], \"\")\n\nreport contains f if {\n\tinput.resource\n\tf := "+finding+"\n}\n")
		_, err := evaluator.Evaluate(t.Context(), w, w.Unit.Objects[0])
		var failed *evaluate.Error
		if !errors.As(err, &failed) {
			t.Errorf("%s: the error is %v", finding, err)
			continue
		}
		if failed.Rule != "custom/x" || failed.Object != w.Unit.Objects[0] || !strings.Contains(err.Error(), "rule custom/x on ConfigMap one (maps.yaml:1:1): ") {
			t.Errorf("%s: the error names no rule and object: %v", finding, err)
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v and lacks %q", finding, err, want)
		}
	}
}

func TestAnEndlessRuleIsStoppedAndNamed(t *testing.T) {
	t.Parallel()
	w := worldOf(t, map[string]string{"maps.yaml": configMaps})
	evaluator := policyOf(t, rules.Options{EvalTimeout: 30 * time.Millisecond}, nil, `
report contains lib.finding([], "m") if {
	input.resource
	some a in numbers.range(1, 100000)
	some b in numbers.range(1, 100000)
	a * b < 0
}
`)
	_, err := evaluator.Evaluate(t.Context(), w, w.Unit.Objects[0])
	if err == nil || !strings.Contains(err.Error(), "rule custom/x on ConfigMap one (maps.yaml:1:1): stopped: it took longer than 30ms") {
		t.Errorf("the error is %v", err)
	}
	if _, err := evaluator.Evaluate(t.Context(), w, w.Unit.Objects[1]); err != nil {
		t.Errorf("the rule was tried again: %v", err)
	}
	if n := evaluator.Counters().Evaluations["custom/x"]; n != 1 {
		t.Errorf("%d evaluations", n)
	}
}

// TestWorkIsCounted checks that a rule is evaluated on the objects of its kinds whose document has one of its words.
func TestWorkIsCounted(t *testing.T) {
	t.Parallel()
	w := worldOf(t, map[string]string{
		"maps.yaml":  configMaps,
		"other.yaml": "{apiVersion: v1, kind: Secret, metadata: {name: s}}",
		"group.yaml": "{apiVersion: example.com/v1, kind: ConfigMap, metadata: {name: s}}",
	})
	words := strings.NewReplacer("#   fix: none", "#   words: [\"x: y\", nothing]\n#   fix: none", "name: bad}", "name: bad, labels: {x: y}}")
	evaluator := policyOf(t, rules.Options{}, words, `report contains lib.finding([], "m") if input.resource.spec`)
	for _, o := range w.Unit.Objects {
		if _, err := evaluator.Evaluate(t.Context(), w, o); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(map[string]int{"custom/x": 1}, evaluator.Counters().Evaluations); diff != "" {
		t.Error(diff)
	}
}

// TestPoliciesAreCompiledWhenNeeded checks that a built-in policy is compiled for the first object that it can report.
func TestPoliciesAreCompiledWhenNeeded(t *testing.T) {
	t.Parallel()
	w := worldOf(t, map[string]string{
		"a.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: s}}",
		"b.yaml": "{apiVersion: v1, kind: Secret, metadata: {name: s}, type: kubernetes.io/service-account-token}",
	})
	registry, err := rules.Load(t.Context(), rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	evaluator, err := registry.Evaluator(t.Context(), []string{"token/long-lived-secret"})
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range w.Unit.Objects {
		if _, err := evaluator.Evaluate(t.Context(), w, o); err != nil {
			t.Fatal(err)
		}
		if compiled := evaluator.Counters().Modules > 0; compiled != (i == 1) {
			t.Errorf("after object %d (%s) policies are compiled: %v", i, o.Ref(), compiled)
		}
	}
	// The rule, and the files that it imports, but not those of other rules.
	if n := evaluator.Counters().Modules; n > 12 {
		t.Errorf("%d modules were compiled for one rule", n)
	}
}

func TestARuleAboutAUnit(t *testing.T) {
	t.Parallel()
	w := worldOf(t, map[string]string{"maps.yaml": configMaps})
	unit := strings.NewReplacer("#   fix: none", "#   scope: unit\n#   fix: none")
	evaluator := policyOf(t, rules.Options{}, unit, `
report contains lib.at(lib.finding([], "second"), found[1].ref) if {
	input.unit
	found := salint.find({"kind": "ConfigMap"})
}
`)
	for _, o := range w.Unit.Objects {
		if reports, err := evaluator.Evaluate(t.Context(), w, o); err != nil || len(reports) > 0 {
			t.Errorf("evaluated on an object: %v, %v", reports, err)
		}
	}
	reports, err := evaluator.Evaluate(t.Context(), w, nil)
	if err != nil || len(reports) != 1 || reports[0].Object.Name != "two" {
		t.Errorf("reports %v, error %v", reports, err)
	}
	other := worldOf(t, map[string]string{"other.yaml": "{apiVersion: v1, kind: Secret, metadata: {name: s}}"})
	if _, err := evaluator.Evaluate(t.Context(), other, nil); err != nil {
		t.Errorf("evaluated on a unit without an object of its kinds: %v", err)
	}
	if n := evaluator.Counters().Evaluations["custom/x"]; n != 1 {
		t.Errorf("%d evaluations", n)
	}
}

func TestEvaluatorIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m%d}\n---\n", i)
	}
	w := worldOf(t, map[string]string{"maps.yaml": text.String()})
	evaluator := policyOf(t, rules.Options{}, nil, `
report contains lib.finding(["metadata"], sprintf("%d", [count(others)])) if {
	others := salint.lookup({"kind": "ConfigMap"})
	salint.ref(input.resource) == others[_].ref
}
`)
	var group sync.WaitGroup
	for range 4 {
		for _, o := range w.Unit.Objects {
			group.Go(func() {
				reports, err := evaluator.Evaluate(t.Context(), w, o)
				if err != nil || len(reports) != 1 || reports[0].Message != "40" {
					t.Errorf("%s: %v, %v", o.Ref(), reports, err)
				}
			})
		}
	}
	group.Wait()
}

// TestStrangeValues checks that every value of YAML reaches a policy as some value, and that no use of it ends the program.
func TestStrangeValues(t *testing.T) {
	t.Parallel()
	w := worldOf(t, map[string]string{"maps.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: one}
data:
  inf: .inf
  negative: -.inf
  nan: .nan
  big: 123456789012345678901234567890
  huge: 1e400
  hex: 0x1F
  octal: 0o17
  old: 017
  time: 2030-01-31
  binary: !!binary aGVsbG8=
  tagged: !thing x
  null: ~
  1: one
  true: yes
  text: "\0\u0085\uFFFD"
`})
	evaluator := policyOf(t, rules.Options{}, nil, `
report contains lib.finding(["data"], concat(" ", sorted)) if {
	values := [value | some value in input.resource.data]
	sorted := sort([type_name(value) | some value in values; value <= value])
	count(json.marshal(sort(values))) > 0
	count([sum([value, 1]) | some value in values; is_number(value); abs(value) > 2]) >= 0
	count({sprintf("%v", [value]) | some value in values}) > 0
}
`)
	reports, err := evaluator.Evaluate(t.Context(), w, w.Unit.Objects[0])
	if err != nil || len(reports) != 1 {
		t.Fatalf("reports %v, error %v", reports, err)
	}
	if want := "boolean null" + strings.Repeat(" number", 4) + strings.Repeat(" string", 9); reports[0].Message != want {
		t.Errorf("got %s", reports[0].Message)
	}
}
