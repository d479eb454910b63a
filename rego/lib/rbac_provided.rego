# Roles that the repository does not need to create.
package salint.helpers.rbac

# provided is true for a role that exists on the cluster or that an operator creates: those of Kubernetes, kubeadm, and
# OpenShift, and those that OLM creates for the APIs of an operator. The namespace is that of the binding.
provided(role, _) if startswith(role.name, "system:")

# A Role exists only in its own namespace.
provided(role, namespace) if {
	role.kind == "Role"
	provided_roles[role.name] == namespace
}

provided(role, "") if {
	role.kind == "Role"
	provided_roles[role.name]
}

provided(role, _) if {
	role.kind == "ClusterRole"
	role.name in provided_names
}

provided(role, _) if {
	role.kind == "ClusterRole"
	regex.match(`^(openshift|olm|global-operators|aggregate-olm)\b|[-.]v[0-9][a-z0-9]*-(admin|edit|view|crdview)$`, role.name)
}

# provided_roles holds the Roles of Kubernetes whose names do not begin with system:, and those of kubeadm, with their
# namespaces.
provided_roles := {
	"extension-apiserver-authentication-reader": "kube-system",
	"kubeadm:kubelet-config": "kube-system",
	"kubeadm:nodes-kubeadm-config": "kube-system",
	"kubeadm:bootstrap-signer-clusterinfo": "kube-public",
	# OpenShift: cluster-monitoring-operator, assets/prometheus-user-workload, assets/cluster-monitoring-operator, assets/alertmanager
	"user-workload-monitoring-config-edit": "openshift-user-workload-monitoring",
	"cluster-monitoring-config-edit": "openshift-monitoring",
	"monitoring-alertmanager-edit": "openshift-monitoring",
	"monitoring-alertmanager-view": "openshift-monitoring",
	"prometheus-k8s": "openshift-monitoring",
	"prometheus-k8s-config": "openshift-monitoring",
	"monitoring-alertmanager-api-writer": "openshift-user-workload-monitoring",
	"monitoring-alertmanager-api-reader": "openshift-user-workload-monitoring",
	# OpenShift: openshift-apiserver (bootstrappolicy), cluster-samples-operator, and console-operator
	"shared-resource-viewer": "openshift",
	"cluster-samples-operator-openshift-edit": "openshift",
	"console-configmap-reader": "openshift-config-managed",
}

provided_names := {
	"cluster-admin", "admin", "edit", "view",
	"basic-user", "cluster-debugger", "cluster-monitoring-operator", "cluster-monitoring-view", "cluster-reader",
	"cluster-status", "kubeadm:get-nodes", "monitoring-edit", "monitoring-rules-edit", "monitoring-rules-view", "registry-admin",
	"registry-editor", "registry-viewer", "self-access-reviewer", "self-provisioner", "storage-admin", "sudoer",
	"user-workload-monitoring-config-edit",
}
