package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
)

// TestNamesInFiles lists the names that kustomizations turn into the name of an object: the root's prefix and suffix are outside of
// those of nested kustomizations.
func TestNamesInFiles(t *testing.T) {
	t.Parallel()
	unit := &objects.Unit{Transforms: []objects.Transform{
		{Field: "namePrefix", Value: "prod-"}, {Field: "nameSuffix", Value: "-v2"},
		{Field: "namePrefix", Value: "eu-"}, {Field: "nameSuffix", Value: "-blue"}, {Field: "namespace", Value: "web"},
	}}
	r := &applied.Repository{Units: []*objects.Unit{unit}}
	for name, want := range map[string][]string{
		"web":              {"web"},
		"web-v2":           {"web-v2", "web"},
		"web-blue-v2":      {"web-blue-v2", "web-blue", "web"},
		"web-v2-blue":      {"web-v2-blue"},
		"prod-eu-web":      {"prod-eu-web", "eu-web", "web"},
		"eu-prod-web":      {"eu-prod-web"},
		"prod-web-blue-v2": {"prod-web-blue-v2", "prod-web-blue", "prod-web", "web-blue-v2", "web-blue", "web"},
		"prod-":            {"prod-"},
		"-v2":              {"-v2"},
	} {
		o := objectstest.In(t, "a.yaml", "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: "+name+"}\n")[0]
		if diff := cmp.Diff(want, r.NamesInFiles(o)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
