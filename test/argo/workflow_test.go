package argo

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"sigs.k8s.io/yaml"
)

// TestWorkflow decodes the workflow without unknown fields, and checks what it refers to.
func TestWorkflow(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../examples/fleet/argo/workflow.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var w v1alpha1.Workflow
	if err := yaml.UnmarshalStrict(text, &w); err != nil {
		t.Fatal(err)
	}
	volumes := []string{}
	for _, claim := range w.Spec.VolumeClaimTemplates {
		volumes = append(volumes, claim.Name)
	}
	if w.GetTemplateByName(w.Spec.Entrypoint) == nil {
		t.Errorf("the entrypoint %s is not a template", w.Spec.Entrypoint)
	}
	for _, template := range w.Spec.Templates {
		for _, group := range template.Steps {
			for _, step := range group.Steps {
				if w.GetTemplateByName(step.Template) == nil {
					t.Errorf("the step %s runs the template %s, which does not exist", step.Name, step.Template)
				}
			}
		}
		if template.Container == nil {
			continue
		}
		own := slices.Clone(volumes)
		for _, volume := range template.Volumes {
			own = append(own, volume.Name)
		}
		mounts := template.Container.VolumeMounts
		for _, container := range template.InitContainers {
			mounts = append(mounts, container.VolumeMounts...)
		}
		for _, mount := range mounts {
			if !slices.Contains(own, mount.Name) {
				t.Errorf("the template %s mounts %s, which is not a volume", template.Name, mount.Name)
			}
		}
	}
	for _, m := range regexp.MustCompile(`workflow\.parameters\.([a-z]+)`).FindAllSubmatch(text, -1) {
		if w.Spec.Arguments.GetParameterByName(string(m[1])) == nil {
			t.Errorf("there is no parameter %s", m[1])
		}
	}
}
