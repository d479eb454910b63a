package danger

import (
	"slices"

	"github.com/salint/salint/internal/files/manifest"
)

// AccountNamer is a kind without the specification of a pod whose controller runs pods, or acts, as the account that the object names.
type AccountNamer struct {
	Group, Kind string
	// Path leads to the account; it is nil if only other fields name accounts. Fields named serviceAccountName anywhere in the specification name further ones, for single steps.
	Path manifest.Path
	// Default is the account if the object names none; "" if that is not one of the namespace.
	Default string
	// Version is the version of the API in which the source defines the field.
	Version, Source string
}

// NamesElsewhere reports whether a kind is cluster-scoped, and names an account of a namespace that it does not show: that of a workflow, or
// the one in which Crossplane runs.
func NamesElsewhere(kind string) bool {
	return slices.Contains([]string{"ClusterWorkflowTemplate", "DeploymentRuntimeConfig", "ControllerConfig"}, kind)
}

const (
	argoWorkflows = "https://argo-workflows.readthedocs.io/en/latest/service-accounts/"
	argoEvents    = "argoproj/argo-events, pkg/apis/events/v1alpha1 (Template)"
	tekton        = "https://tekton.dev/docs/pipelines/taskruns/"
	triggers      = "https://tekton.dev/docs/triggers/eventlisteners/"
	kapp          = "https://carvel.dev/kapp-controller/docs/latest/app-spec/"
	openShift     = "openshift/api, build/v1 (CommonSpec)"
	prometheus    = "prometheus-operator, pkg/apis/monitoring/v1 (CommonPrometheusFields)"
	collectors    = "opentelemetry-operator, apis/v1beta1 (OpenTelemetryCommonFields)"
	kubeVirt      = "https://kubevirt.io/user-guide/storage/disks_and_volumes/#serviceaccount"
	runtimeConfig = "https://docs.crossplane.io/latest/packages/providers/#runtime-configuration"
	podDefault    = "default"

	runners           = "actions/actions-runner-controller, apis/actions.summerwind.net/v1alpha1 (RunnerPodSpec)"
	agones            = "googleforgames/agones, pkg/apis/agones/v1/gameserver.go (GameServerSpec: template, SdkServiceAccountName)"
	victoriaMetrics   = "VictoriaMetrics/operator, api/operator/v1beta1/common_scrapeparams.go, vmextra_types.go (CommonAppsParams)"
	volSync           = "backube/volsync, api/v1alpha1 (MoverConfig: moverServiceAccount)"
	stash             = "kmodules/offshoot-api, api/v1 (PodRuntimeSettings: serviceAccountName)"
	terraformOperator = "galleybytes/terraform-operator, pkg/apis/tf/v1beta1/terraform_types.go (TerraformSpec)"
)

// accountNamers are in the order of their groups. A kind has a path for each version of its API, and for each of several accounts.
var accountNamers = []AccountNamer{
	{"actions.github.com", "EphemeralRunner", nil, podDefault, "v1alpha1", "actions/actions-runner-controller, apis/actions.github.com/v1alpha1/ephemeralrunner_types.go"},
	{"actions.github.com", "EphemeralRunnerSet", nil, podDefault, "v1alpha1", "actions/actions-runner-controller, apis/actions.github.com/v1alpha1/ephemeralrunnerset_types.go"},
	{"actions.summerwind.dev", "Runner", nil, podDefault, "v1alpha1", runners},
	{"actions.summerwind.dev", "RunnerDeployment", nil, podDefault, "v1alpha1", runners},
	{"actions.summerwind.dev", "RunnerReplicaSet", nil, podDefault, "v1alpha1", runners},
	{"actions.summerwind.dev", "RunnerSet", nil, podDefault, "v1alpha1", runners},
	{"agents.x-k8s.io", "Sandbox", nil, podDefault, "v1alpha1", "kubernetes-sigs/agent-sandbox, api/v1alpha1/sandbox_types.go (PodTemplate)"},
	{"agones.dev", "Fleet", nil, "agones-sdk", "v1", agones},
	{"agones.dev", "GameServer", nil, "agones-sdk", "v1", agones},
	{"agones.dev", "GameServerSet", nil, "agones-sdk", "v1", agones},
	{"app.terraform.io", "AgentPool", nil, "", "v1alpha2", "hashicorp/hcp-terraform-operator, api/v1alpha2/agentpool_types.go (AgentDeployment: spec)"},
	{"argoproj.io", "Workflow", manifest.Path{"spec", "serviceAccountName"}, podDefault, "v1alpha1", argoWorkflows},
	{"argoproj.io", "WorkflowTemplate", manifest.Path{"spec", "serviceAccountName"}, "", "v1alpha1", argoWorkflows},
	{"argoproj.io", "ClusterWorkflowTemplate", manifest.Path{"spec", "serviceAccountName"}, "", "v1alpha1", argoWorkflows},
	{"argoproj.io", "CronWorkflow", manifest.Path{"spec", "workflowSpec", "serviceAccountName"}, podDefault, "v1alpha1", argoWorkflows},
	{"argoproj.io", "Sensor", manifest.Path{"spec", "template", "serviceAccountName"}, podDefault, "v1alpha1", argoEvents},
	{"argoproj.io", "AnalysisRun", nil, podDefault, "v1alpha1", "argoproj/argo-rollouts, pkg/apis/rollouts/v1alpha1/analysis_types.go (JobMetric)"},
	{"argoproj.io", "EventSource", manifest.Path{"spec", "template", "serviceAccountName"}, podDefault, "v1alpha1", argoEvents},
	{"apps.gitlab.com", "Runner", manifest.Path{"spec", "serviceaccount"}, "", "v1beta2", "gitlab-org/gl-openshift/gitlab-runner-operator, api/v1beta2/runner_types.go (RunnerSpec)"},
	{"apps.kruise.io", "UnitedDeployment", nil, podDefault, "v1alpha1", "openkruise/kruise, apis/apps/v1alpha1/uniteddeployment_types.go (SubsetTemplate)"},
	{"argoproj.io", "EventBus", nil, podDefault, "v1alpha1", "argoproj/argo-events, pkg/apis/events/v1alpha1 (NativeStrategy, JetStreamBus)"},
	{"argoproj.io", "Experiment", nil, podDefault, "v1alpha1", "argoproj/argo-rollouts, pkg/apis/rollouts/v1alpha1/experiment_types.go (TemplateSpec)"},
	{"auto.pulumi.com", "Workspace", manifest.Path{"spec", "serviceAccountName"}, podDefault, "v1alpha1", "pulumi/pulumi-kubernetes-operator, operator/api/auto/v1alpha1/workspace_types.go"},
	{"build.openshift.io", "BuildConfig", manifest.Path{"spec", "serviceAccount"}, "builder", "v1", openShift},
	{"build.openshift.io", "Build", manifest.Path{"spec", "serviceAccount"}, "builder", "v1", openShift},
	{"camel.apache.org", "Integration", manifest.Path{"spec", "serviceAccountName"}, podDefault, "v1", "apache/camel-k, pkg/apis/camel/v1/integration_types.go (IntegrationSpec)"},
	{"config.terraform.padok.cloud", "TerraformLayer", manifest.Path{"spec", "overrideRunnerSpec", "serviceAccountName"}, "", "v1alpha1", "padok-team/burrito, api/v1alpha1/common.go (OverrideRunnerSpec)"},
	{"config.terraform.padok.cloud", "TerraformRepository", manifest.Path{"spec", "overrideRunnerSpec", "serviceAccountName"}, "", "v1alpha1", "padok-team/burrito, api/v1alpha1/common.go (OverrideRunnerSpec)"},
	{"fission.io", "Environment", nil, "", "v1", "fission/fission, pkg/apis/core/v1/types.go (Runtime, Builder: podspec)"},
	{"flink.apache.org", "FlinkDeployment", manifest.Path{"spec", "serviceAccount"}, "", "v1beta1", "apache/flink-kubernetes-operator, flink-kubernetes-operator-api (FlinkDeploymentSpec)"},
	{"forklift.konveyor.io", "Hook", manifest.Path{"spec", "serviceAccount"}, "", "v1beta1", "kubev2v/forklift, pkg/apis/forklift/v1beta1/hook.go (HookSpec)"},
	{"gitops.kluctl.io", "KluctlDeployment", manifest.Path{"spec", "serviceAccountName"}, "", "v1beta1", kluctl},
	{"infra.contrib.fluxcd.io", "Terraform", manifest.Path{"spec", "serviceAccountName"}, "tf-runner", "v1alpha2", "flux-iac/tofu-controller, api/v1alpha2/terraform_types.go (TerraformSpec)"},
	{"jaegertracing.io", "Jaeger", manifest.Path{"spec", "serviceAccount"}, "", "v1", "jaegertracing/jaeger-operator, apis/v1/jaeger_types.go (JaegerCommonSpec)"},
	{"k6.io", "TestRun", manifest.Path{"spec", "runner", "serviceAccountName"}, podDefault, "v1alpha1", "grafana/k6-operator, api/v1alpha1/testrun_types.go (Pod)"},
	{"k8s.keycloak.org", "Keycloak", nil, "", "v2alpha1", "keycloak/keycloak, operator (UnsupportedSpec: podTemplate)"},
	{"k8up.io", "PreBackupPod", nil, podDefault, "v1", "k8up-io/k8up, api/v1/pre_backup_pod_type.go (PreBackupPodSpec)"},
	{"kappctrl.k14s.io", "App", manifest.Path{"spec", "serviceAccountName"}, "", "v1alpha1", kapp},
	{"kubernetes.dask.org", "DaskCluster", nil, podDefault, "v1", "dask/dask-kubernetes, dask_kubernetes/operator (PodSpec of workers and scheduler)"},
	{"kubernetes.dask.org", "DaskJob", nil, podDefault, "v1", "dask/dask-kubernetes, dask_kubernetes/operator (PodSpec of workers and scheduler)"},
	{"kubevirt.io", "VirtualMachine", nil, "", "v1", kubeVirt},
	{"kubevirt.io", "VirtualMachineInstance", nil, "", "v1", kubeVirt},
	{"kubevirt.io", "VirtualMachineInstanceReplicaSet", nil, "", "v1", kubeVirt},
	{"litmuschaos.io", "ChaosEngine", manifest.Path{"spec", "chaosServiceAccount"}, "", "v1alpha1", "litmuschaos/chaos-operator, api/litmuschaos/v1alpha1/chaosengine_types.go"},
	{"machinelearning.seldon.io", "SeldonDeployment", nil, podDefault, "v1", "SeldonIO/seldon-core, operator/apis/machinelearning.seldon.io/v1 (SeldonPodSpec)"},
	{"minio.min.io", "Tenant", manifest.Path{"spec", "serviceAccountName"}, "", "v2", "minio/operator, pkg/apis/minio.min.io/v2/types.go (TenantSpec)"},
	{"monitoring.coreos.com", "Prometheus", manifest.Path{"spec", "serviceAccountName"}, podDefault, "v1", prometheus},
	{"monitoring.coreos.com", "PrometheusAgent", manifest.Path{"spec", "serviceAccountName"}, podDefault, "v1alpha1", prometheus},
	{"monitoring.coreos.com", "Alertmanager", manifest.Path{"spec", "serviceAccountName"}, podDefault, "v1", prometheus},
	{"monitoring.coreos.com", "ThanosRuler", manifest.Path{"spec", "serviceAccountName"}, podDefault, "v1", prometheus},
	{"monitoring.grafana.com", "GrafanaAgent", manifest.Path{"spec", "serviceAccountName"}, "", "v1alpha1", "grafana/agent, static/operator/apis/monitoring/v1alpha1 (GrafanaAgentSpec)"},
	{"nuclio.io", "NuclioFunction", manifest.Path{"spec", "serviceAccount"}, "", "v1beta1", "nuclio/nuclio, pkg/functionconfig/types.go (Spec)"},
	{"opensearch.opster.io", "OpenSearchCluster", manifest.Path{"spec", "general", "serviceAccount"}, "", "v1", "opensearch-project/opensearch-k8s-operator, api/v1/opensearch_types.go (GeneralConfig)"},
	{"opentelemetry.io", "OpenTelemetryCollector", manifest.Path{"spec", "serviceAccount"}, "", "v1beta1", collectors},
	{"operator.victoriametrics.com", "VLogs", manifest.Path{"spec", "serviceAccountName"}, "", "v1beta1", victoriaMetrics},
	{"operator.victoriametrics.com", "VMAgent", manifest.Path{"spec", "serviceAccountName"}, "", "v1beta1", victoriaMetrics},
	{"operator.victoriametrics.com", "VMAlert", manifest.Path{"spec", "serviceAccountName"}, "", "v1beta1", victoriaMetrics},
	{"operator.victoriametrics.com", "VMAlertmanager", manifest.Path{"spec", "serviceAccountName"}, "", "v1beta1", victoriaMetrics},
	{"operator.victoriametrics.com", "VMAuth", manifest.Path{"spec", "serviceAccountName"}, "", "v1beta1", victoriaMetrics},
	{"operator.victoriametrics.com", "VMCluster", manifest.Path{"spec", "serviceAccountName"}, "", "v1beta1", victoriaMetrics},
	{"operator.victoriametrics.com", "VMSingle", manifest.Path{"spec", "serviceAccountName"}, "", "v1beta1", victoriaMetrics},
	{"operators.coreos.com", "OperatorGroup", manifest.Path{"spec", "serviceAccountName"}, "", "v1",
		"https://olm.operatorframework.io/docs/advanced-tasks/operator-scoping-with-operatorgroups/"},
	{"packaging.carvel.dev", "PackageInstall", manifest.Path{"spec", "serviceAccountName"}, "", "v1alpha1", kapp},
	{"pkg.crossplane.io", "ControllerConfig", manifest.Path{"spec", "serviceAccountName"}, "", "v1alpha1", runtimeConfig},
	{"pkg.crossplane.io", "DeploymentRuntimeConfig", manifest.Path{"spec", "deploymentTemplate", "spec", "template", "spec", "serviceAccountName"}, "", "v1beta1", runtimeConfig},
	{"pkg.crossplane.io", "DeploymentRuntimeConfig", manifest.Path{"spec", "serviceAccountTemplate", "metadata", "name"}, "", "v1beta1", runtimeConfig},
	{"pool.kubevirt.io", "VirtualMachinePool", nil, "", "v1beta1", kubeVirt},
	{"pulumi.com", "Stack", manifest.Path{"spec", "serviceAccountName"}, "", "v1", "pulumi/pulumi-kubernetes-operator, operator/api/pulumi/shared/stack_types.go (StackSpec)"},
	{"shipwright.io", "BuildRun", manifest.Path{"spec", "serviceAccount"}, "", "v1beta1", "shipwright-io/build, pkg/apis/build/v1beta1/buildrun_types.go (BuildRunSpec)"},
	{"sinks.knative.dev", "JobSink", nil, podDefault, "v1alpha1", "knative/eventing, pkg/apis/sinks/v1alpha1/job_sink_types.go (JobSinkSpec)"},
	{"sources.knative.dev", "ApiServerSource", manifest.Path{"spec", "serviceAccountName"}, podDefault, "v1", "knative/eventing, pkg/apis/sources/v1/apiserver_types.go (ApiServerSourceSpec)"},
	{"sources.knative.dev", "ContainerSource", manifest.Path{"spec", "template", "spec", "serviceAccountName"}, podDefault, "v1", "knative/eventing, pkg/apis/sources/v1/container_types.go (ContainerSourceSpec)"},
	{"sparkoperator.k8s.io", "SparkApplication", manifest.Path{"spec", "driver", "serviceAccount"}, podDefault, "v1beta2", "kubeflow/spark-operator, api/v1beta2/sparkapplication_types.go (SparkPodSpec)"},
	{"sparkoperator.k8s.io", "SparkApplication", manifest.Path{"spec", "executor", "serviceAccount"}, podDefault, "v1beta2", "kubeflow/spark-operator, api/v1beta2/sparkapplication_types.go (SparkPodSpec)"},
	{"sparkoperator.k8s.io", "ScheduledSparkApplication", manifest.Path{"spec", "template", "driver", "serviceAccount"}, podDefault, "v1beta2", "kubeflow/spark-operator, api/v1beta2/scheduledsparkapplication_types.go"},
	{"stash.appscode.com", "BackupConfiguration", nil, "", "v1beta1", stash},
	{"stash.appscode.com", "RestoreSession", nil, "", "v1beta1", stash},
	{"tekton.dev", "TaskRun", manifest.Path{"spec", "serviceAccountName"}, podDefault, "v1", tekton},
	{"tekton.dev", "PipelineRun", manifest.Path{"spec", "taskRunTemplate", "serviceAccountName"}, podDefault, "v1", tekton},
	{"tekton.dev", "PipelineRun", manifest.Path{"spec", "serviceAccountName"}, podDefault, "v1beta1", tekton},
	{"testworkflows.testkube.io", "TestWorkflow", manifest.Path{"spec", "pod", "serviceAccountName"}, "", "v1", "kubeshop/testkube-operator, api/testworkflows/v1/base_types.go (PodConfig)"},
	{"tf.galleybytes.com", "Terraform", manifest.Path{"spec", "serviceAccount"}, "", "v1beta1", terraformOperator},
	{"tf.isaaguilar.com", "Terraform", manifest.Path{"spec", "serviceAccount"}, "", "v1alpha1", terraformOperator},
	{"triggers.tekton.dev", "Trigger", manifest.Path{"spec", "serviceAccountName"}, "", "v1beta1", "https://tekton.dev/docs/triggers/triggers/"},
	{"triggers.tekton.dev", "EventListener", manifest.Path{"spec", "serviceAccountName"}, podDefault, "v1beta1", triggers},
	{"vault.banzaicloud.com", "Vault", manifest.Path{"spec", "serviceAccount"}, "", "v1alpha1", "bank-vaults/vault-operator, pkg/apis/vault/v1alpha1/vault_types.go (VaultSpec)"},
	{"volsync.backube", "ReplicationDestination", nil, "", "v1alpha1", volSync},
	{"volsync.backube", "ReplicationSource", nil, "", "v1alpha1", volSync},
}

// AccountNamers returns the kinds whose controllers act as the account that the object names.
func AccountNamers() []AccountNamer { return slices.Clone(accountNamers) }
