package matching

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects"
)

// TestVariants checks which states of charts with API versions are compared.
func TestVariants(t *testing.T) {
	t.Parallel()
	chart := func(name string, versions ...string) *objects.Unit {
		return &objects.Unit{Name: name, Root: "gate", Kind: objects.ChartUnit, Renderings: []objects.Rendering{{Chart: "gate", APIVersions: versions}}}
	}
	tested := func(file string) *objects.Unit {
		return &objects.Unit{Name: "gate with " + file, Root: "gate", Kind: objects.ChartUnit, Renderings: []objects.Rendering{{Chart: "gate", Values: []string{"gate/" + file}}}}
	}
	other := &objects.Unit{Name: "other", Root: "other", Kind: objects.ChartUnit, Renderings: []objects.Rendering{{Chart: "other"}}}
	plain, one, two := chart("gate"), chart("gate with one", "one"), chart("gate with two", "one", "two")
	for name, test := range map[string]struct {
		before, after []*objects.Unit
		want          []string
	}{
		"the first test":   {[]*objects.Unit{plain}, []*objects.Unit{plain, one}, []string{"gate: gate", "gate with one: gate with one"}},
		"the last test":    {[]*objects.Unit{plain, one}, []*objects.Unit{plain}, []string{"gate: gate", "gate with one: gate with one"}},
		"another test":     {[]*objects.Unit{plain, one}, []*objects.Unit{plain, two}, []string{"gate: gate", "gate with two: gate with two"}},
		"a new chart":      {nil, []*objects.Unit{plain, one}, []string{": gate", ": gate with one"}},
		"another chart":    {[]*objects.Unit{other}, []*objects.Unit{other, one}, []string{"other: other", ": gate with one"}},
		"values of a test": {[]*objects.Unit{plain}, []*objects.Unit{plain, tested("ci/tls-values.yaml")}, []string{"gate: gate", "gate with ci/tls-values.yaml: gate with ci/tls-values.yaml"}},
		"other values":     {[]*objects.Unit{plain}, []*objects.Unit{plain, tested("values-prod.yaml")}, []string{"gate: gate", ": gate with values-prod.yaml"}},
		"a removed chart":  {[]*objects.Unit{plain, one}, nil, []string{"gate: ", "gate with one: "}},
	} {
		var got []string
		for _, p := range pairUnits(test.before, test.after) {
			if p.Unit().Kind == objects.ChartUnit {
				got = append(got, p.Before.Name+": "+p.After.Name)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}
