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

// differing returns two versions, of which the second has more fields. Both have the given ones.
func differing(fields string) string {
	return version("v1", "true", "properties: {"+fields+"}") + "," + version("v2", "false", "properties: {shape: {type: string}, "+fields+"}")
}

func TestCheck(t *testing.T) {
	t.Parallel()
	const color = "properties: {color: {type: string, enum: [red]}}"
	for name, test := range map[string]struct {
		old, fresh, target string
		want               crdsafety.Result
	}{
		"the same":              {version("v1", "true", color), version("v1", "true", color), "olm-1.10", crdsafety.Result{}},
		"a new field":           {version("v1", "true", color), version("v1", "true", "properties: {color: {type: string, enum: [red]}, size: {type: string}}"), "olm-1.10", crdsafety.Result{}},
		"a growing enum":        {version("v1", "true", color), version("v1", "true", "properties: {color: {type: string, enum: [red, blue]}}"), "olm-1.5", crdsafety.Result{}},
		"descriptions in oneOf": {version("v1", "true", "oneOf: [{required: [a], description: old}]"), version("v1", "true", "oneOf: [{required: [a], description: new}]"), "olm-1.10", crdsafety.Result{}},
		"descriptions in oneOf before v1.10": {version("v1", "true", "oneOf: [{required: [a], description: old}]"), version("v1", "true", "oneOf: [{required: [a], description: new}]"), "olm-1.9", crdsafety.Result{Blocked: []crdsafety.Blocked{{
			Definition: "lamps.example.com", Reasons: []string{"v1, .spec: unhandled changes found"}}}}},
		"another oneOf": {version("v1", "true", "oneOf: [{required: [a]}]"), version("v1", "true", "oneOf: [{required: [a]}, {required: [b]}]"), "olm-1.10", crdsafety.Result{Blocked: []crdsafety.Blocked{{
			Definition: "lamps.example.com", Reasons: []string{"v1, .spec: unhandled changes found"}}}}},
		"a new field in v1.4":            {version("v1", "true", color), version("v1", "true", "properties: {color: {type: string, enum: [red]}, size: {type: string}}"), "olm-1.4", crdsafety.Result{}},
		"lists in v1.4":                  {version("v1", "true", "properties: {a: {type: array, items: {type: string}}}"), version("v1", "true", "properties: {a: {type: array, items: {type: string}}, b: {type: string}}"), "olm-1.4", crdsafety.Result{More: true}},
		"versions that differed in v1.4": {differing("size: {type: string}"), differing("size: {type: string}, age: {type: string}"), "olm-1.4", crdsafety.Result{More: true}},
		"versions that differed before":  {differing("size: {type: string}"), differing("size: {type: string}, age: {type: string}"), "olm-1.5", crdsafety.Result{}},
		"no schema": {version("v1", "true", color), "{name: v1, served: true, storage: true}", "olm-1.10", crdsafety.Result{Blocked: []crdsafety.Blocked{{
			Definition: "lamps.example.com", Reasons: []string{"v1 has no schema, so the API server rejects the definition"}}}}},
		"no schema before": {"{name: v1, served: true, storage: true}", version("v1", "true", color), "olm-1.10", crdsafety.Result{}},
		"a new condition":  {version("v1", "true", color), version("v1", "true", color+", required: [color]"), "olm-1.3", crdsafety.Result{NotCompared: true}},
		"required": {version("v1", "true", color), version("v1", "true", color+", required: [color]"), "olm-1.11", crdsafety.Result{Blocked: []crdsafety.Blocked{{
			Definition: "lamps.example.com", Reasons: []string{"v1, .spec: new required fields: [color]"}}}}},
		"a stored version is gone": {version("v1", "true", color), version("v2", "true", color), "olm-1.10", crdsafety.Result{Blocked: []crdsafety.Blocked{{
			Definition: "lamps.example.com", Reasons: []string{"stored versions removed: [v1]"}}}}},
	} {
		target, err := olm.ParseTarget(test.target)
		if err != nil {
			t.Fatal(err)
		}
		got := crdsafety.Check(bundlesupport.Of(target, nil), olm.HelmRuntime, lamps(t, test.old), lamps(t, test.fresh))
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

func TestDeletedDefinitions(t *testing.T) {
	t.Parallel()
	target, err := olm.ParseTarget("olm-1.10")
	if err != nil {
		t.Fatal(err)
	}
	release, old := bundlesupport.Of(target, nil), lamps(t, version("v1", "true", "properties: {}"))
	if diff := cmp.Diff(crdsafety.Result{Deleted: []string{"lamps.example.com"}}, crdsafety.Check(release, olm.HelmRuntime, old, nil).WithoutCheck()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := crdsafety.Check(release, olm.HelmRuntime, old, old); len(got.Deleted) > 0 {
		t.Errorf("deleted although the new version has it: %v", got.Deleted)
	}
}
