package objects_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
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
		{"{apiVersion: serving.knative.dev/v1, kind: Revision, spec: " + spec + "}", "spec"},
		{"{apiVersion: keda.sh/v1alpha1, kind: ScaledJob, spec: {jobTargetRef: {template: {spec: " + spec + "}}}}", "spec.jobTargetRef.template.spec"},
		{
			"{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, spec: {replicatedJobs: [{name: b}, {template: {spec: {template: {spec: " + spec + "}}}}]}}",
			"spec.replicatedJobs[1].template.spec.template.spec",
		},
		{"{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, spec: {tasks: [{template: {spec: " + spec + "}}]}}", "spec.tasks[0].template.spec"},
		{"{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, spec: {tasks: none}}", ""},
		{"{apiVersion: ray.io/v1, kind: RayCluster, spec: {headGroupSpec: {template: {spec: " + spec + "}}}}", "spec.headGroupSpec.template.spec"},
		{"{apiVersion: apps.kruise.io/v1beta1, kind: StatefulSet, spec: {template: {spec: " + spec + "}}}", "spec.template.spec"},
		{"{apiVersion: v1, kind: Service, spec: {template: {spec: " + spec + "}}}", ""},
		{"{apiVersion: opentelemetry.io/v1beta1, kind: OpenTelemetryCollector, spec: " + spec + "}", ""},
		{"{apiVersion: example.com/v1, kind: Deployment, spec: {template: {spec: " + spec + "}}}", ""},
		{"{apiVersion: apps/v1, kind: Deployment, spec: {template: {spec: []}}}", ""},
		{"{apiVersion: argoproj.io/v1alpha1, kind: Rollout, spec: {workloadRef: {name: a}}}", ""},
		{"{apiVersion: example.com/v1, kind: Runner, spec: {pod: " + spec + "}}", "spec.pod"},
		{"{apiVersion: example.com/v1, kind: Fleet, spec: {pods: {first: " + spec + "}}}", "spec.pods.first"},
	}
	more := []objects.PodSpecKind{
		{Group: "example.com", Kind: "Runner", Path: manifest.Path{"spec", "pod"}},
		{Group: "example.com", Kind: "Fleet", Path: manifest.Path{"spec", "pods", objects.AnyItem}},
	}
	for _, test := range tests {
		var want, got []string
		if test.path != "" {
			want = []string{test.path + " a"}
		}
		for _, spec := range objects.PodSpecs(one(t, test.text), more...) {
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
		"{serviceAccountName: {{ account }}}":           {"{{ }}", "serviceAccountName"},
		"{serviceAccountName: null}":                    {"default", ""},
		"{serviceAccount: \"\"}":                        {"default", ""},
		"{}":                                            {"default", ""},
	} {
		specs := objects.PodSpecs(one(t, "{apiVersion: v1, kind: Pod, spec: "+spec+"}"))
		name, field := specs[0].Account()
		if name != want[0] || field != want[1] {
			t.Errorf("%s: %q from %q, want %v", spec, name, field, want)
		}
	}
}

// TestWorkloadsAreDocumented checks that docs/workloads.md lists exactly the kinds of the table, with their paths.
func TestWorkloadsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/workloads.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]*)` \\| `([^`]*)` \\|").FindAllStringSubmatch(string(page), -1) {
		documented[row[1]+" "+row[2]] = true
	}
	for _, kind := range objects.Workloads() {
		name := kind.Kind
		if kind.Group != "" {
			name += "." + kind.Group
		}
		row := name + " " + strings.Join(kind.Path, ".")
		if !documented[row] {
			t.Errorf("docs/workloads.md lacks %s", row)
		}
		delete(documented, row)
	}
	for row := range documented {
		t.Errorf("docs/workloads.md has %s, which is not in the table", row)
	}
}
