package inventory_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
)

func TestPodSpecs(t *testing.T) {
	t.Parallel()
	const spec = "{serviceAccountName: a}"
	tests := []struct{ text, path string }{
		{"{apiVersion: v1, kind: Pod, spec: " + spec + "}", "spec"},
		{"{apiVersion: v1, kind: PodTemplate, template: {spec: " + spec + "}}", "template.spec"},
		{"{apiVersion: v1, kind: ReplicationController, spec: {template: {spec: " + spec + "}}}", "spec.template.spec"},
		{"{apiVersion: apps/v1, kind: Deployment, spec: {template: {spec: " + spec + "}}}", "spec.template.spec"},
		{"{apiVersion: extensions/v1beta1, kind: Deployment, spec: {template: {spec: " + spec + "}}}", "spec.template.spec"},
		{"{apiVersion: apps/v1, kind: StatefulSet, spec: {template: {spec: " + spec + "}}}", "spec.template.spec"},
		{"{apiVersion: apps/v1, kind: DaemonSet, spec: {template: {spec: " + spec + "}}}", "spec.template.spec"},
		{"{apiVersion: apps/v1, kind: ReplicaSet, spec: {template: {spec: " + spec + "}}}", "spec.template.spec"},
		{"{apiVersion: batch/v1, kind: Job, spec: {template: {spec: " + spec + "}}}", "spec.template.spec"},
		{
			"{apiVersion: batch/v1, kind: CronJob, spec: {jobTemplate: {spec: {template: {spec: " + spec + "}}}}}",
			"spec.jobTemplate.spec.template.spec",
		},
		{"{apiVersion: apps.openshift.io/v1, kind: DeploymentConfig, spec: {template: {spec: " + spec + "}}}", "spec.template.spec"},
		{"{apiVersion: serving.knative.dev/v1, kind: Service, spec: {template: {spec: " + spec + "}}}", "spec.template.spec"},
		{"{apiVersion: argoproj.io/v1alpha1, kind: Rollout, spec: {template: {spec: " + spec + "}}}", "spec.template.spec"},
		{"{apiVersion: v1, kind: Service, spec: {template: {spec: " + spec + "}}}", ""},
		{"{apiVersion: opentelemetry.io/v1beta1, kind: OpenTelemetryCollector, spec: " + spec + "}", ""},
		{"{apiVersion: example.com/v1, kind: Deployment, spec: {template: {spec: " + spec + "}}}", ""},
		{"{apiVersion: apps/v1, kind: Deployment, spec: {template: {spec: []}}}", ""},
		{"{apiVersion: argoproj.io/v1alpha1, kind: Rollout, spec: {workloadRef: {name: a}}}", ""},
		{"{apiVersion: example.com/v1, kind: Runner, spec: {pod: " + spec + "}}", "spec.pod"},
	}
	more := inventory.PodSpecKind{Group: "example.com", Kind: "Runner", Path: manifest.Path{"spec", "pod"}}
	for _, test := range tests {
		var want, got []string
		if test.path != "" {
			want = []string{test.path + " a"}
		}
		for _, spec := range inventory.PodSpecs(one(t, test.text), more) {
			name, _ := spec.Account()
			got = append(got, spec.Path.String()+" "+name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", test.text, diff)
		}
	}
}

func TestPodAccount(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string][2]string{
		"{serviceAccountName: a, serviceAccount: b}":    {"a", "serviceAccountName"},
		"{serviceAccount: b}":                           {"b", "serviceAccount"},
		"{serviceAccountName: \"\", serviceAccount: b}": {"b", "serviceAccount"},
		"{serviceAccountName: null}":                    {"default", ""},
		"{serviceAccount: \"\"}":                        {"default", ""},
		"{}":                                            {"default", ""},
	} {
		specs := inventory.PodSpecs(one(t, "{apiVersion: v1, kind: Pod, spec: "+spec+"}"))
		name, field := specs[0].Account()
		if name != want[0] || field != want[1] {
			t.Errorf("%s: %q from %q, want %v", spec, name, field, want)
		}
	}
}
