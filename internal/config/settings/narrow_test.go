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
