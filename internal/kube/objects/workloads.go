package objects

import (
	"slices"

	"github.com/salint/salint/internal/files/manifest"
)

var (
	specPath     = manifest.Path{"spec"}
	templatePath = manifest.Path{"spec", "template", "spec"}
	cronJobPath  = manifest.Path{"spec", "jobTemplate", "spec", "template", "spec"}
)

// workloads are the kinds that embed a real pod specification. Many other kinds have fields with the same names and another
// meaning, so no kind is guessed: docs/workloads.md names for each the source that defines its type.
var workloads = []PodSpecKind{
	{"", "Pod", specPath},
	{"", "PodTemplate", manifest.Path{"template", "spec"}},
	{"", "ReplicationController", templatePath},
	{"apps", "Deployment", templatePath},
	{"apps", "StatefulSet", templatePath},
	{"apps", "DaemonSet", templatePath},
	{"apps", "ReplicaSet", templatePath},
	{"extensions", "Deployment", templatePath}, // before apps/v1
	{"extensions", "DaemonSet", templatePath},
	{"extensions", "ReplicaSet", templatePath},
	{"batch", "Job", templatePath},
	{"batch", "CronJob", cronJobPath},
	{"apps.openshift.io", "DeploymentConfig", templatePath},
	{"", "DeploymentConfig", templatePath}, // as v1, in OpenShift 3
	{"serving.knative.dev", "Service", templatePath},
	{"serving.knative.dev", "Configuration", templatePath},
	{"serving.knative.dev", "Revision", specPath},
	{"argoproj.io", "Rollout", templatePath},
	{"keda.sh", "ScaledJob", manifest.Path{"spec", "jobTargetRef", "template", "spec"}},
	{"jobset.x-k8s.io", "JobSet", manifest.Path{"spec", "replicatedJobs", AnyItem, "template", "spec", "template", "spec"}},
	{"leaderworkerset.x-k8s.io", "LeaderWorkerSet", manifest.Path{"spec", "leaderWorkerTemplate", "leaderTemplate", "spec"}},
	{"leaderworkerset.x-k8s.io", "LeaderWorkerSet", manifest.Path{"spec", "leaderWorkerTemplate", "workerTemplate", "spec"}},
	{"batch.volcano.sh", "Job", manifest.Path{"spec", "tasks", AnyItem, "template", "spec"}},
	{"ray.io", "RayCluster", manifest.Path{"spec", "headGroupSpec", "template", "spec"}},
	{"ray.io", "RayCluster", manifest.Path{"spec", "workerGroupSpecs", AnyItem, "template", "spec"}},
	{"ray.io", "RayJob", manifest.Path{"spec", "rayClusterSpec", "headGroupSpec", "template", "spec"}},
	{"ray.io", "RayJob", manifest.Path{"spec", "rayClusterSpec", "workerGroupSpecs", AnyItem, "template", "spec"}},
	{"ray.io", "RayJob", manifest.Path{"spec", "submitterPodTemplate", "spec"}},
	{"ray.io", "RayCronJob", manifest.Path{"spec", "jobTemplate", "rayClusterSpec", "headGroupSpec", "template", "spec"}},
	{"ray.io", "RayCronJob", manifest.Path{"spec", "jobTemplate", "rayClusterSpec", "workerGroupSpecs", AnyItem, "template", "spec"}},
	{"ray.io", "RayCronJob", manifest.Path{"spec", "jobTemplate", "submitterPodTemplate", "spec"}},
	{"ray.io", "RayService", manifest.Path{"spec", "rayClusterConfig", "headGroupSpec", "template", "spec"}},
	{"ray.io", "RayService", manifest.Path{"spec", "rayClusterConfig", "workerGroupSpecs", AnyItem, "template", "spec"}},
	{"actions.github.com", "AutoscalingRunnerSet", templatePath},
	{"actions.github.com", "AutoscalingRunnerSet", manifest.Path{"spec", "listenerTemplate", "spec"}},
	{"apps.kruise.io", "CloneSet", templatePath},
	{"apps.kruise.io", "StatefulSet", templatePath},
	{"apps.kruise.io", "DaemonSet", templatePath},
	{"apps.kruise.io", "BroadcastJob", templatePath},
	{"apps.kruise.io", "AdvancedCronJob", manifest.Path{"spec", "template", "jobTemplate", "spec", "template", "spec"}},
	{"apps.kruise.io", "AdvancedCronJob", manifest.Path{"spec", "template", "broadcastJobTemplate", "spec", "template", "spec"}},
}

// Workloads returns where the kinds of Kubernetes, of OpenShift, and of widely used operators embed the specification of a
// pod. A kind with several such places is listed with each.
func Workloads() []PodSpecKind { return slices.Clone(workloads) }
