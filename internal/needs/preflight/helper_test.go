package preflight

import (
	"testing"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rendered"
)

// installer is the installing account in tests.
var installer = rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: "harbor", Name: "installer"}.Identity()

// repository returns a unit of manifests.
func repository(t *testing.T, text string) *objects.Unit {
	t.Helper()
	if text == "" {
		return &objects.Unit{}
	}
	units := assembly.Units(objectstest.In(t, "manifests.yaml", text), nil)
	if len(units) != 1 {
		t.Fatalf("%d units", len(units))
	}
	return units[0]
}

// bundle returns rendered objects of manifests.
func bundle(t *testing.T, text string) []rendered.Object {
	t.Helper()
	var objects []rendered.Object
	for _, o := range objectstest.In(t, "manifests.yaml", text) {
		objects = append(objects, rendered.Object{JSON: o.JSON(), Origin: rendered.Origin{
			File: "bundle.yaml", Line: o.Position(nil).Line,
		}})
	}
	return objects
}

// input is the installation of a bundle as extension harbor by the installer.
func input(t *testing.T, objects, grants string) Input {
	t.Helper()
	in := Input{
		Objects: bundle(t, objects), Extension: "harbor", Namespace: "harbor", Identity: installer,
		Unit: repository(t, grants), Escalation: Hold,
	}
	in.Resources = ResourcesOf(in.Unit, in.Objects)
	return in
}

func check(t *testing.T, in Input) Result {
	t.Helper()
	result, err := Check(in)
	if err != nil {
		t.Fatal(err)
	}
	return result
}
