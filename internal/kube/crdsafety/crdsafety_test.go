package crdsafety_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/crdsafety"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rendered"
)

// lamps returns a definition with the given versions.
func lamps(t *testing.T, versions string) []rendered.Object {
	t.Helper()
	var object map[string]any
	text := `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: lamps.example.com}, spec: {group: example.com, scope: Namespaced,
  names: {kind: Lamp, plural: lamps}, versions: [` + versions + `]}}`
	if err := yaml.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	return []rendered.Object{{JSON: object}}
}

func version(name, stored, spec string) string {
	return `{name: ` + name + `, served: true, storage: ` + stored + `, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, ` + spec + `}}}}}`
}

func TestCheck(t *testing.T) {
	t.Parallel()
	const color = "properties: {color: {type: string, enum: [red]}}"
	for name, test := range map[string]struct {
		old, fresh, target string
		want               crdsafety.Result
	}{
		"the same":        {version("v1", "true", color), version("v1", "true", color), "olm-1.10", crdsafety.Result{}},
		"a new field":     {version("v1", "true", color), version("v1", "true", "properties: {color: {type: string, enum: [red]}, size: {type: string}}"), "olm-1.10", crdsafety.Result{}},
		"a growing enum":  {version("v1", "true", color), version("v1", "true", "properties: {color: {type: string, enum: [red, blue]}}"), "olm-1.5", crdsafety.Result{}},
		"a new condition": {version("v1", "true", color), version("v1", "true", color+", required: [color]"), "olm-1.3", crdsafety.Result{NotCompared: true}},
		"required": {version("v1", "true", color), version("v1", "true", color+", required: [color]"), "olm-1.11", crdsafety.Result{Blocked: []crdsafety.Blocked{{
			Definition: "lamps.example.com", Reasons: []string{"v1, .spec: new required fields: [color]"}}}}},
		"a stored version is gone": {version("v1", "true", color), version("v2", "true", color), "olm-1.10", crdsafety.Result{Blocked: []crdsafety.Blocked{{
			Definition: "lamps.example.com", Reasons: []string{"stored versions removed: [v1]"}}}}},
	} {
		target, err := olm.ParseTarget(test.target)
		if err != nil {
			t.Fatal(err)
		}
		got := crdsafety.Check(bundlesupport.Of(target, nil), lamps(t, test.old), lamps(t, test.fresh))
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}
