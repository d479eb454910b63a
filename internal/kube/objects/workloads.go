package objects

import (
	"slices"
	"strings"

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
	{grafanaGroup, "Grafana", manifest.Path{"spec", "deployment", "spec", "template", "spec"}},
	{kubeflowGroup, "PyTorchJob", replicasPath("pytorchReplicaSpecs")},
	{kubeflowGroup, "TFJob", replicasPath("tfReplicaSpecs")},
	{kubeflowGroup, "XGBoostJob", replicasPath("xgbReplicaSpecs")},
	{kubeflowGroup, "PaddleJob", replicasPath("paddleReplicaSpecs")},
	{kubeflowGroup, "JAXJob", replicasPath("jaxReplicaSpecs")},
	{kubeflowGroup, "MPIJob", replicasPath("mpiReplicaSpecs")},
	{kubeflowGroup, "Notebook", templatePath},
	{"trainer.kubeflow.org", "TrainingRuntime", runtimePath},
	{"trainer.kubeflow.org", "ClusterTrainingRuntime", runtimePath},
	{kserveGroup, "InferenceService", manifest.Path{"spec", "predictor"}},
	{kserveGroup, "InferenceService", manifest.Path{"spec", "predictor", "workerSpec"}},
	{kserveGroup, "InferenceService", manifest.Path{"spec", "transformer"}},
	{kserveGroup, "InferenceService", manifest.Path{"spec", "explainer"}},
	{"elasticsearch.k8s.elastic.co", "Elasticsearch", manifest.Path{"spec", "nodeSets", AnyItem, "podTemplate", "spec"}},
	{"kibana.k8s.elastic.co", "Kibana", podTemplatePath},
	{"logstash.k8s.elastic.co", "Logstash", podTemplatePath},
	{"apm.k8s.elastic.co", "ApmServer", podTemplatePath},
	{"enterprisesearch.k8s.elastic.co", "EnterpriseSearch", podTemplatePath},
	{"maps.k8s.elastic.co", "ElasticMapsServer", podTemplatePath},
	{"beat.k8s.elastic.co", "Beat", manifest.Path{"spec", "daemonSet", "podTemplate", "spec"}},
	{"beat.k8s.elastic.co", "Beat", manifest.Path{"spec", "deployment", "podTemplate", "spec"}},
	{"agent.k8s.elastic.co", "Agent", manifest.Path{"spec", "daemonSet", "podTemplate", "spec"}},
	{"agent.k8s.elastic.co", "Agent", manifest.Path{"spec", "deployment", "podTemplate", "spec"}},
	{"agent.k8s.elastic.co", "Agent", manifest.Path{"spec", "statefulSet", "podTemplate", "spec"}},
}

const (
	grafanaGroup  = "grafana.integreatly.org"
	kubeflowGroup = "kubeflow.org"
	kserveGroup   = "serving.kserve.io"
	elasticSuffix = ".k8s.elastic.co"
)

var (
	podTemplatePath = manifest.Path{"spec", "podTemplate", "spec"}
	// runtimePath leads through the template of a JobSet.
	runtimePath = manifest.Path{"spec", "template", "spec", "replicatedJobs", AnyItem, "template", "spec", "template", "spec"}
)

// replicasPath is the path to the pods of a training job, whose replicas are a mapping by role.
func replicasPath(field string) manifest.Path {
	return manifest.Path{"spec", field, AnyItem, "template", "spec"}
}

// operatorSetsAccount reports whether the operator of a kind sets serviceAccountName in pods that do not set it: grafana-operator for
// every Grafana, the training operator for the launcher of an MPIJob. The deprecated alias alone then has no effect.
func operatorSetsAccount(o *Object) bool {
	return o.Group == grafanaGroup && o.Kind == "Grafana" || o.Group == kubeflowGroup && o.Kind == "MPIJob"
}

// operatorDropsToken reports whether the operator of a kind sets automountServiceAccountToken to false in pods that do not set it, as
// ECK does except for Agents and Logstash.
func operatorDropsToken(o *Object) bool {
	return strings.HasSuffix(o.Group, elasticSuffix) && o.Kind != "Agent" && o.Kind != "Logstash"
}

// Workloads returns where the kinds of Kubernetes, of OpenShift, and of widely used operators embed the specification of a
// pod. A kind with several such places is listed with each.
func Workloads() []PodSpecKind { return slices.Clone(workloads) }
