package applications

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/salint/salint/internal/assemble/gitops/sources"
)

// TestFluxValues checks the composition of values against what ChartValuesFromReferences of fluxcd/pkg/chartutil returns for them.
func TestFluxValues(t *testing.T) {
	t.Parallel()
	whole := func(text string) sources.Values { return sources.Values{Text: text} }
	single := func(path, text string) sources.Values { return sources.Values{Text: text, TargetPath: path} }
	inline := func(text string) sources.Values { return sources.Values{Text: text, Inline: true} }
	for name, test := range map[string]struct {
		values []sources.Values
		want   map[string]any
	}{
		"the release wins over a single value of one step":     {[]sources.Values{single("admin", "true"), inline("admin: false")}, map[string]any{"admin": false}},
		"a single value in a mapping of the release":           {[]sources.Values{single("rbac.admin", "true"), inline("rbac: {admin: false, name: a}")}, map[string]any{"rbac": map[string]any{"admin": true, "name": "a"}}},
		"a mapping that values before have, too":               {[]sources.Values{whole("rbac: {name: a}"), single("rbac.admin", "true"), inline("rbac: {admin: false}")}, map[string]any{"rbac": map[string]any{"admin": false, "name": "a"}}},
		"a mapping inside of one that values before have, too": {[]sources.Values{whole("a: {x: 1}"), single("a.b.c", "true"), inline("a: {b: {c: false}}")}, map[string]any{"a": map[string]any{"x": float64(1), "b": map[string]any{"c": true}}}},
		"a mapping that only the single value makes":           {[]sources.Values{single("rbac.admin", "true"), inline("name: a")}, map[string]any{"rbac": map[string]any{"admin": true}, "name": "a"}},
		"whole values after a single value":                    {[]sources.Values{single("rbac.admin", "true"), whole("rbac: {admin: false}")}, map[string]any{"rbac": map[string]any{"admin": false}}},
		"a line break is part of the value":                    {[]sources.Values{single("rbac.admin", "false\n")}, map[string]any{"rbac": map[string]any{"admin": "false\n"}}},
		"quotes make a text":                                   {[]sources.Values{single("rbac.admin", `"false"`)}, map[string]any{"rbac": map[string]any{"admin": "false"}}},
		"a literal has no syntax":                              {[]sources.Values{{Text: "a,b={c}", TargetPath: "x.y", Literal: true}}, map[string]any{"x": map[string]any{"y": "a,b={c}"}}},
	} {
		got, err := fluxValues(test.values)
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}
