# Where objects and settings set the arguments of the programs of the control plane: one table for all installers.
# Sources: the types of kubeadm and Cluster API; pkg/apis/config/v1alpha4 of kind; pkg/apis/k0s/v1beta1 of k0s; provisioning.cattle.io of Rancher; the
# control planes in cluster-api-provider-rke2, cluster-api-k3s, cluster-api-control-plane-provider-talos, k0smotron, and Kamaji; config/v1alpha5 of k3d;
# the settings of k3s, RKE2, RKE, and vcluster; pkg/machinery/config/types/v1alpha1 of Talos, and talconfig.yaml of talhelper.
package salint.helpers.controlplane

# places has for each kind where the parts of a configuration are, `at` as its fields, and `strings` inside of strings. `of` is the configuration,
# and `version` where the version of Kubernetes is. `flags` are arguments of k3s that hold those of its programs. A star stands for each item.
places := object.union_n([clusters_of_kubeadm, clusters_of_talos, clusters_of_k0s, clusters_of_k3s, hosted_clusters])

clusters_of_kubeadm := {
	"ClusterConfiguration.kubeadm.k8s.io": in_kubeadm([]),
	"KubeadmConfig.bootstrap.cluster.x-k8s.io": in_kubeadm(["spec", "clusterConfiguration"]),
	"KubeadmConfigTemplate.bootstrap.cluster.x-k8s.io": in_kubeadm(["spec", "template", "spec", "clusterConfiguration"]),
	"KubeadmControlPlane.controlplane.cluster.x-k8s.io": {
		"of": "kubeadm", "at": [["spec", "kubeadmConfigSpec", "clusterConfiguration"]], "version": ["spec", "version"],
	},
	"KubeadmControlPlaneTemplate.controlplane.cluster.x-k8s.io": in_kubeadm(["spec", "template", "spec", "kubeadmConfigSpec", "clusterConfiguration"]),
	"Cluster.kind.x-k8s.io": {"of": "kubeadm", "strings": [
		["kubeadmConfigPatches", "*"], ["kubeadmConfigPatchesJSON6902", "*", "patch"],
		["nodes", "*", "kubeadmConfigPatches", "*"], ["nodes", "*", "kubeadmConfigPatchesJSON6902", "*", "patch"],
	]},
	"Cluster.anywhere.eks.amazonaws.com": {"of": "eks", "at": [["spec", "controlPlaneConfiguration"]], "version": ["spec", "kubernetesVersion"]},
}

in_kubeadm(path) := {"of": "kubeadm", "at": [path], "version": array.concat(path, ["kubernetesVersion"])}

clusters_of_talos := {
	"TalosMachineConfig.talos.dev": {"of": "talos", "at": [[]], "version": ["cluster", "apiServer", "image"]},
	"TalhelperConfig.talos.dev": {"of": "talos", "version": ["kubernetesVersion"], "strings": [
		["patches", "*"], ["controlPlane", "patches", "*"], ["nodes", "*", "patches", "*"],
	]},
	"TalosConfig.bootstrap.cluster.x-k8s.io": patched(["spec"]),
	"TalosConfigTemplate.bootstrap.cluster.x-k8s.io": patched(["spec", "template", "spec"]),
	"TalosControlPlane.controlplane.cluster.x-k8s.io": object.union(patched(["spec", "controlPlaneConfig", "controlplane"]), {"version": ["spec", "version"]}),
}

patched(path) := {"of": "talos", "strings": [array.concat(path, ["strategicPatches", "*"])], "patches": [array.concat(path, ["configPatches"])]}

clusters_of_k0s := {
	"ClusterConfig.k0s.k0sproject.io": {"of": "k0s", "at": [[]]},
	"K0sControlPlane.controlplane.cluster.x-k8s.io": {"of": "k0s", "at": [["spec", "k0sConfigSpec", "k0s"]], "version": ["spec", "version"]},
	"K0sControlPlaneTemplate.controlplane.cluster.x-k8s.io": {"of": "k0s", "at": [["spec", "template", "spec", "k0sConfigSpec", "k0s"]]},
	"Cluster.k0smotron.io": {"of": "k0s", "at": [["spec", "k0sConfig"]], "version": ["spec", "version"]},
	"K0smotronControlPlane.controlplane.cluster.x-k8s.io": {"of": "k0s", "at": [["spec", "k0sConfig"]], "version": ["spec", "version"]},
	"K0smotronControlPlaneTemplate.controlplane.cluster.x-k8s.io": {"of": "k0s", "at": [["spec", "template", "spec", "k0sConfig"]]},
	"Cluster.k0sctl.k0sproject.io": {"of": "k0s", "at": [["spec", "k0s", "config"]], "version": ["spec", "k0s", "version"]},
}

clusters_of_k3s := {
	"K3sConfig.k3s.io": {"of": "k3s", "at": [[]]},
	"RKEConfig.rke.cattle.io": {"of": "rke", "at": [["services"]], "version": ["kubernetes_version"]},
	"Cluster.provisioning.cattle.io": {
		"of": "k3s", "at": [["spec", "rkeConfig", "machineGlobalConfig"], ["spec", "rkeConfig", "machineSelectorConfig", "*", "config"]],
		"version": ["spec", "kubernetesVersion"],
	},
	"RKE2ControlPlane.controlplane.cluster.x-k8s.io": {"of": "rke2", "at": [["spec", "serverConfig"]], "version": ["spec", "version"]},
	"RKE2ControlPlaneTemplate.controlplane.cluster.x-k8s.io": {"of": "rke2", "at": [["spec", "template", "spec", "serverConfig"]]},
	"KThreesControlPlane.controlplane.cluster.x-k8s.io": {
		"of": "kthrees", "at": [["spec", "kthreesConfigSpec", "serverConfig"]], "version": ["spec", "version"],
	},
	"KThreesControlPlaneTemplate.controlplane.cluster.x-k8s.io": {"of": "kthrees", "at": [["spec", "template", "spec", "kthreesConfigSpec", "serverConfig"]]},
	"Simple.k3d.io": {"of": "none", "flags": [["options", "k3s", "extraArgs", "*", "arg"]], "version": ["image"]},
}

hosted_clusters := {
	"TenantControlPlane.kamaji.clastix.io": {
		"of": "kamaji", "at": [["spec", "controlPlane", "deployment", "extraArgs"]], "version": ["spec", "kubernetes", "version"],
	},
	"KamajiControlPlane.controlplane.cluster.x-k8s.io": {"of": "kamaji_provider", "at": [["spec"]], "version": ["spec", "version"]},
	"KamajiControlPlaneTemplate.controlplane.cluster.x-k8s.io": {"of": "kamaji_provider", "at": [["spec", "template", "spec"]]},
	"VClusterConfig.vcluster.com": {"of": "vcluster", "at": [[]], "flags": [array.concat(vcluster_k3s, ["*"])]},
	"HelmRelease.helm.toolkit.fluxcd.io": {
		"of": "vcluster", "at": [["spec", "values"]], "flags": [array.concat(["spec", "values"], array.concat(vcluster_k3s, ["*"]))],
	},
	"Application.argoproj.io": {
		"of": "vcluster", "at": [["spec", "source", "helm", "valuesObject"], ["spec", "sources", "*", "helm", "valuesObject"]],
		"strings": [["spec", "source", "helm", "values"], ["spec", "sources", "*", "helm", "values"]],
	},
}

vcluster_k3s := ["controlPlane", "distro", "k3s", "extraArgs"]

# parts has for each configuration where the arguments of a program are in it.
parts := {
	"kubeadm": {program: [part, "extraArgs"] | some program, part in camel},
	"talos": {program: ["cluster", part, "extraArgs"] | some program, part in camel},
	"k0s": object.union(
		{program: ["spec", part, "extraArgs"] | some program, part in camel},
		{"kube-apiserver": ["spec", "api", "extraArgs"]},
	),
	"k3s": {program: [sprintf("%s-arg", [program])] | some program, _ in camel},
	"rke": {"kube-apiserver": ["kube-api", "extra_args"], "kube-controller-manager": ["kube-controller", "extra_args"], "kube-scheduler": ["scheduler", "extra_args"]},
	"rke2": {"kube-apiserver": ["kubeAPIServer", "extraArgs"], "kube-controller-manager": ["kubeControllerManager", "extraArgs"], "kube-scheduler": ["kubeScheduler", "extraArgs"]},
	"kthrees": {"kube-apiserver": ["kubeAPIServerArg"], "kube-controller-manager": ["kubeControllerManagerArgs"], "kube-scheduler": ["kubeSchedulerArgs"]},
	"kamaji_provider": {program: [part, "extraArgs"] | some program, part in camel},
	"kamaji": {program: [part] | some program, part in camel},
	"eks": {program: [sprintf("%sExtraArgs", [part])] | some program, part in camel},
	"vcluster": {program: ["controlPlane", "distro", "k8s", part, "extraArgs"] | some program, part in camel},
	"none": {},
}

camel := {"kube-apiserver": "apiServer", "kube-controller-manager": "controllerManager", "kube-scheduler": "scheduler"}
