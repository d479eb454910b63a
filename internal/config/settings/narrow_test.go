package settings

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
)

func TestNarrow(t *testing.T) {
	t.Parallel()
	type severities map[string]finding.Severity
	tests := []struct {
		name, own, by string
		failOn        finding.Severity
		floors        severities // of rules for prod/a.yaml
	}{
		{"nothing", "", "", finding.Warning, severities{"rbac/a": finding.Off}},
		{"the stricter severity fails", "failOn: error", "failOn: note", finding.Note, nil},
		{"a laxer one does not count", "failOn: note", "failOn: error", finding.Note, nil},
		{"never is no severity", "failOn: error", "failOn: never", finding.Error, nil},
		{"a default does not count", "failOn: never", "rules: {}", finding.Off, nil},
		{"what is set is a minimum", "rules: {rbac/*: off}", "rules: {rbac/a: error, rbac/*: note}", finding.Warning, severities{"rbac/a": finding.Error, "rbac/b": finding.Note}},
		{"an override raises", "", "{rules: {rbac/a: warning}, overrides: [{paths: [prod/**], rules: {rbac/a: error}}]}", finding.Warning, severities{"rbac/a": finding.Error}},
		{"an override does not lower", "", "{rules: {rbac/a: error}, overrides: [{paths: [prod/**], rules: {rbac/a: off}}]}", finding.Warning, severities{"rbac/a": finding.Error}},
		{"other paths", "", "{overrides: [{paths: [lab/**], rules: {rbac/a: error}}]}", finding.Warning, severities{"rbac/a": finding.Off}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := mustLoad(t, test.own).Narrow(mustLoad(t, test.by))
			if c.FailOn != test.failOn {
				t.Errorf("fails on %s, want %s", c.FailOn, test.failOn)
			}
			got := severities{}
			for rule := range test.floors {
				got[rule] = c.For("prod/a.yaml").Floor(rule)
			}
			if diff := cmp.Diff(test.floors, got, cmp.Transformer("", func(s severities) map[string]finding.Severity {
				if s == nil {
					s = severities{}
				}
				return s
			})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParametersOfANarrowingFile(t *testing.T) {
	t.Parallel()
	c := mustLoad(t, "rules: {acme/a: {with: {x: 1}}, acme/b: {with: {x: 1}}, acme/c: {with: {x: 1}}}")
	c = c.Narrow(mustLoad(t, "rules: {acme/a: {with: {x: 2}}, acme/b: error}")).Require(map[string]finding.Severity{"acme/d": finding.Note})
	got := map[string]any{}
	for _, rule := range []string{"acme/a", "acme/b", "acme/c"} {
		got[rule] = c.For("a.yaml").Parameters(rule)["x"]
	}
	if diff := cmp.Diff(map[string]any{"acme/a": int64(2), "acme/b": nil, "acme/c": int64(1)}, got); diff != "" {
		t.Error(diff)
	}
	if c.FloorEverywhere("acme/d") != finding.Note {
		t.Error("a rule of the policies is not required")
	}
}

// What a repository of a workspace sets holds for its own files, and a file of the command line for those of all.
func TestJoin(t *testing.T) {
	t.Parallel()
	parse := func(text string) *Config {
		c, err := Parse("x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	central := parse("overrides: [{paths: ['apps/**'], rules: {rbac/x: error}}]\n")
	central.SetOfCommand(true)
	own := parse("rules: {rbac/z: error}\npolicies: [policy]\n")
	north := parse("target: olm-1.11\nfailOn: error\nexclude: [old/**]\nrules: {rbac/x: off}\nbundles: {kelp: k}\noverrides: [{paths: ['b/**'], target: olm-1.4}]\n").Narrow(central).Narrow(own)
	south := parse("failOn: never\nbaseline: known.json\nbundles: {kelp: other}\nhelm: {charts/a: {values: [v.yaml]}}\n").Narrow(central)
	joined, remarks := Join([]Part{{"north", "n*/north", north}, {"south", "south", south}})
	if s := joined.For("n*/north/a.yaml"); s.Target != "olm-1.11" || s.Floor("rbac/z") != finding.Error {
		t.Errorf("in north: %+v", s)
	}
	if severity, ok := joined.For("n*/north/a.yaml").Severity("rbac/x"); !ok || severity != finding.Off {
		t.Error("a rule that is off in north is on")
	}
	if got := joined.For("n*/north/b/a.yaml").Target; got != "olm-1.4" {
		t.Errorf("an override in north: %s", got)
	}
	s := joined.For("south/a.yaml")
	if _, ok := s.Severity("rbac/x"); ok || s.Target != "auto" || s.Floor("rbac/z") != finding.Off {
		t.Errorf("north decides on south: %+v", s)
	}
	for _, file := range []string{"n*/north/apps/a.yaml", "south/apps/a.yaml"} {
		if joined.For(file).Floor("rbac/x") != finding.Error {
			t.Errorf("%s is not narrowed", file)
		}
	}
	if joined.FailOn != finding.Error || len(joined.Bundles) != 0 || joined.Helm["south/charts/a"].Values[0][0] != "south/v.yaml" || joined.ExcludePatterns()[0] == "old/**" {
		t.Errorf("got %+v", joined)
	}
	if len(remarks) != 3 { // policies, baseline, and the bundle
		t.Errorf("remarks: %q", remarks)
	}
}
