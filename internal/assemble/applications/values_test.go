package applications

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/gitops"
)

// TestFluxValues checks the composition of values against what ChartValuesFromReferences of fluxcd/pkg/chartutil returns for them.
func TestFluxValues(t *testing.T) {
	t.Parallel()
	whole := func(text string) gitops.Values { return gitops.Values{Text: text} }
	single := func(path, text string) gitops.Values { return gitops.Values{Text: text, TargetPath: path} }
	inline := func(text string) gitops.Values { return gitops.Values{Text: text, Inline: true} }
	for name, test := range map[string]struct {
		values []gitops.Values
		want   map[string]any
	}{
		"the release wins over a single value of one step":     {[]gitops.Values{single("admin", "true"), inline("admin: false")}, map[string]any{"admin": false}},
		"a single value in a mapping of the release":           {[]gitops.Values{single("rbac.admin", "true"), inline("rbac: {admin: false, name: a}")}, map[string]any{"rbac": map[string]any{"admin": true, "name": "a"}}},
		"a mapping that values before have, too":               {[]gitops.Values{whole("rbac: {name: a}"), single("rbac.admin", "true"), inline("rbac: {admin: false}")}, map[string]any{"rbac": map[string]any{"admin": false, "name": "a"}}},
		"a mapping inside of one that values before have, too": {[]gitops.Values{whole("a: {x: 1}"), single("a.b.c", "true"), inline("a: {b: {c: false}}")}, map[string]any{"a": map[string]any{"x": float64(1), "b": map[string]any{"c": true}}}},
		"a mapping that only the single value makes":           {[]gitops.Values{single("rbac.admin", "true"), inline("name: a")}, map[string]any{"rbac": map[string]any{"admin": true}, "name": "a"}},
		"whole values after a single value":                    {[]gitops.Values{single("rbac.admin", "true"), whole("rbac: {admin: false}")}, map[string]any{"rbac": map[string]any{"admin": false}}},
		"a line break is part of the value":                    {[]gitops.Values{single("rbac.admin", "false\n")}, map[string]any{"rbac": map[string]any{"admin": "false\n"}}},
		"quotes make a text":                                   {[]gitops.Values{single("rbac.admin", `"false"`)}, map[string]any{"rbac": map[string]any{"admin": "false"}}},
		"a literal has no syntax":                              {[]gitops.Values{{Text: "a,b={c}", TargetPath: "x.y", Literal: true}}, map[string]any{"x": map[string]any{"y": "a,b={c}"}}},
	} {
		got, err := fluxValues(test.values)
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}
