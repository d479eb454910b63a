package objects_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects/objectstest"
)

// TestFieldsInAnyCase checks that case is ignored in fields: kustomize reads them as Go reads JSON.
func TestFieldsInAnyCase(t *testing.T) {
	t.Parallel()
	units := objectstest.Units(t, tree{
		"o/kustomization.yaml":    "Resources: [../base]\nNAMEPREFIX: a-\npatches: [{Path: patch.yaml}]\n",
		"o/patch.yaml":            manifestOf("v1", "Pod", "", "p"),
		"base/kustomization.yaml": "Bases: [deep]\n",
		"base/deep/Kustomization": "resourceS:\n- pod.yaml\n",
		"base/deep/pod.yaml":      manifestOf("v1", "Pod", "", "p"),
	})
	if diff := cmp.Diff([]string{"base/deep/pod.yaml"}, fileNames(units[0].Objects)); diff != "" {
		t.Error(diff)
	}
	var fields []string
	for _, transform := range units[0].Transforms {
		fields = append(fields, transform.String())
	}
	want := []string{"namePrefix at o/kustomization.yaml:2", "patches at o/kustomization.yaml:3"}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Error(diff)
	}
	entry := units[0].Kustomizations[0].Resources[0]
	if got := entry.Path.String() + " " + entry.Position.String(); got != "Resources[0] o/kustomization.yaml:1:13" {
		t.Errorf("the entry is at %s", got)
	}
}
