package salint.rules.token.admission_disabled_test

import data.salint.rules.token.admission_disabled as rule

report(resource) := found if found := rule.report with input as {"resource": resource}

workload(kind, flags) := {"apiVersion": "v1", "kind": kind, "metadata": {"name": "plane", "namespace": "kube-system"}, "spec": spec} if {
	spec := object.union(
		{"containers": [{"name": "main", "image": "registry.k8s.io/kube-apiserver:v1.34.0", "command": array.concat(["kube-apiserver"], flags)}]},
		{"template": {"spec": {"containers": [{"name": "main", "image": "a", "command": array.concat(["kube-apiserver"], flags)}]}}},
	)
}

server(flags) := report(workload("Pod", flags))

test_the_flag if {
	some finding in server(["--etcd-servers=a", "--disable-admission-plugins=PodSecurity,ServiceAccount"])
	finding.path == ["spec", "containers", 0, "command", 2]
	contains(finding.message, "Pod plane disables the admission plugin ServiceAccount of kube-apiserver.")
	count(server(["--disable_admission_plugins", "ServiceAccount"])) == 1
	count(server(["--disable-admission-plugins=ServiceAccountToken"])) == 0
	count(server(["--disable-admission-plugins=$(PLUGINS)"])) == 0
	count(server(["--enable-admission-plugins=NodeRestriction"])) == 0
	count(server(["--disable-admission-plugins=ServiceAccount", "--version"])) == 0
}

test_the_old_flag if {
	some finding in server(["--admission-control=NamespaceLifecycle"])
	finding.path == ["spec", "containers", 0, "command", 1]
	count(server(["--admission-control=NamespaceLifecycle,ServiceAccount"])) == 0
	count(server(["--admission-control=NamespaceLifecycle", "--admission-control=ServiceAccount"])) == 0
	count(server(["--admission-control=${PLUGINS}"])) == 0
	count(server([])) == 0
}

# kube-apiserver refuses to start in these cases, whatever the order of the flags.
test_flags_that_exclude_each_other if {
	off := "--disable-admission-plugins=ServiceAccount"
	some finding in server([off, "--enable-admission-plugins=NodeRestriction,ServiceAccount"])
	contains(finding.message, "kube-apiserver does not start, because --enable-admission-plugins lists it, too. Remove it from --disable-")
	some second in server(["--enable-admission-plugins=ServiceAccount", "--enable-admission-plugins=NodeRestriction", off])
	contains(second.message, "does not start")
	some third in server([off, "--admission-control=ServiceAccount"])
	contains(third.message, "kube-apiserver does not start, because --admission-control cannot be combined")
	some effective in server([off, "--enable-admission-plugins=NodeRestriction"])
	contains(effective.message, "Pods get no default account")
	count(server(["--disable-admission-plugins=PodSecurity", off])) == 1
}

# A Deployment can be the control plane of something without nodes.
test_other_control_planes if {
	deployment := object.union(workload("Deployment", ["--disable-admission-plugins=ServiceAccount"]), {"apiVersion": "apps/v1"})
	count(report(deployment)) == 0
	count(report({
		"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"},
		"spec": {"containers": [{"name": "b", "command": ["karmada-apiserver", "--disable-admission-plugins=ServiceAccount"]}]},
	})) == 0
}

off := {"disable-admission-plugins": "ServiceAccount"}

test_kubeadm if {
	some finding in report({"apiVersion": "kubeadm.k8s.io/v1beta3", "kind": "ClusterConfiguration", "apiServer": {"extraArgs": off}})
	finding.path == ["apiServer", "extraArgs", "disable-admission-plugins"]
	startswith(finding.message, "This ClusterConfiguration disables")
	count(report({"apiVersion": "kubeadm.k8s.io/v1beta3", "kind": "ClusterConfiguration", "scheduler": {"extraArgs": off}})) == 0
	some listed in report({
		"apiVersion": "controlplane.cluster.x-k8s.io/v1beta1", "kind": "KubeadmControlPlane",
		"spec": {"kubeadmConfigSpec": {"clusterConfiguration": {"apiServer": {"extraArgs": [{"name": "disable-admission-plugins", "value": "ServiceAccount"}]}}}},
	})
	listed.path == ["spec", "kubeadmConfigSpec", "clusterConfiguration", "apiServer", "extraArgs", 0, "value"]
}

test_openshift if {
	some finding in report({
		"apiVersion": "kubecontrolplane.config.openshift.io/v1", "kind": "KubeAPIServerConfig",
		"apiServerArguments": {"disable-admission-plugins": ["DefaultStorageClass", "ServiceAccount"]},
	})
	finding.path == ["apiServerArguments", "disable-admission-plugins", 1]
}
