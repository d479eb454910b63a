package objects

import "slices"

// installedPlanes are the kinds that set arguments of the control plane of a cluster, in the form of METADATA: rego/lib/controlplane_places.rego
// has the fields. Settings of k3s, RKE, Talos, talhelper, and vcluster are no objects; their kinds are those of outline.Settings.
var installedPlanes = []string{
	"Cluster.anywhere.eks.amazonaws.com", "Cluster.k0sctl.k0sproject.io", "Cluster.k0smotron.io", "Cluster.kind.x-k8s.io", "Cluster.kops.k8s.io",
	"Cluster.provisioning.cattle.io", "ClusterConfig.k0s.k0sproject.io", "ClusterConfiguration.kubeadm.k8s.io",
	"K0sControlPlane.controlplane.cluster.x-k8s.io", "K0sControlPlaneTemplate.controlplane.cluster.x-k8s.io",
	"K0smotronControlPlane.controlplane.cluster.x-k8s.io", "K0smotronControlPlaneTemplate.controlplane.cluster.x-k8s.io", "K3sConfig.k3s.io",
	"KThreesControlPlane.controlplane.cluster.x-k8s.io", "KThreesControlPlaneTemplate.controlplane.cluster.x-k8s.io",
	"KubeAPIServer.operator.openshift.io", "KubeAPIServerConfig.kubecontrolplane.config.openshift.io",
	"KubeControllerManager.operator.openshift.io", "KubeControllerManagerConfig.kubecontrolplane.config.openshift.io",
	"KubeadmConfig.bootstrap.cluster.x-k8s.io", "KubeadmConfigTemplate.bootstrap.cluster.x-k8s.io",
	"KubeadmControlPlane.controlplane.cluster.x-k8s.io", "KubeadmControlPlaneTemplate.controlplane.cluster.x-k8s.io",
	"RKE2ControlPlane.controlplane.cluster.x-k8s.io", "RKE2ControlPlaneTemplate.controlplane.cluster.x-k8s.io", "RKEConfig.rke.cattle.io", "Simple.k3d.io",
	"TalhelperConfig.talos.dev", "TalosConfig.bootstrap.cluster.x-k8s.io", "TalosConfigTemplate.bootstrap.cluster.x-k8s.io",
	"TalosControlPlane.controlplane.cluster.x-k8s.io", "TalosMachineConfig.talos.dev",
}

// hostedPlanes are those of clusters inside of another one.
var hostedPlanes = []string{
	"Application.argoproj.io", "HelmRelease.helm.toolkit.fluxcd.io", "KamajiControlPlane.controlplane.cluster.x-k8s.io",
	"KamajiControlPlaneTemplate.controlplane.cluster.x-k8s.io", "TenantControlPlane.kamaji.clastix.io", "VClusterConfig.vcluster.com",
}

// InstalledPlanes returns the kinds that set arguments of the control plane of a cluster, as Kind.group.
func InstalledPlanes() []string { return slices.Clone(installedPlanes) }

// ControlPlanes returns these kinds, and those of clusters inside of another one.
func ControlPlanes() []string { return slices.Concat(installedPlanes, hostedPlanes) }
