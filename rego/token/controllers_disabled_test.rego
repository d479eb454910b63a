package salint.rules.token.controllers_disabled_test

import data.salint.rules.token.controllers_disabled as rule

report(resource) := found if found := rule.report with input as {"resource": resource}

manager(tag, flags) := report({
	"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "kcm", "namespace": "kube-system"},
	"spec": {"containers": [{
		"name": "main", "image": sprintf("registry.k8s.io/kube-controller-manager%s", [tag]),
		"command": array.concat(["kube-controller-manager"], flags),
	}]},
})

# disabled are the beginnings of the controllers that a list disables.
disabled(tag, list) := {found.case[0] | some found in manager(tag, [sprintf("--controllers=%s", [list])])}

test_entries if {
	disabled(":v1.34.0", "*,-serviceaccount") == {"serviceaccount-controller"}
	disabled(":v1.34.0", "*,-serviceaccount-controller,-ttl") == {"serviceaccount-controller"}
	disabled(":v1.34.0", "-serviceaccount-token,*") == {"serviceaccount-token-controller"}
	disabled(":v1.34.0", "*") == set()
	disabled(":v1.34.0", "*,-nodeipam") == set()
	disabled(":v1.34.0", "*,-$(OFF)") == set()
	manager(":v1.34.0", []) == set()
}

test_the_first_entry_counts if {
	disabled(":v1.34.0", "*,serviceaccount,-serviceaccount-controller") == set()
	disabled(":v1.34.0", "*,-serviceaccount,serviceaccount") == {"serviceaccount-controller"}
}

test_several_flags if {
	some finding in manager(":v1.34.0", ["--controllers=*", "--controllers=-root-ca-cert-publisher"])
	finding.path == ["spec", "containers", 0, "command", 2]
	finding.severity == "warning"
	contains(finding.message, "Remove -root-ca-cert-publisher from --controllers.")
	count(manager(":v1.34.0", ["--controllers=*,root-ca-cert-publisher", "--controllers=-root-ca-cert-publisher"])) == 0
	count(manager(":v1.34.0", ["--controllers=-root-ca-cert-publisher", "--controllers=*,root-ca-cert-publisher"])) == 1
}

test_a_list_in_a_separate_word if {
	count(manager(":v1.34.0", ["--controllers", "-root-ca-cert-publisher,*", "--v=2"])) == 1
	count(manager(":v1.34.0", ["--controllers", "*,-root-ca-cert-publisher", "--v=2"])) == 1
}

# Before 1.28 the program does not know the present names, and before 1.29 it has no cleaner.
test_versions if {
	disabled(":v1.27.3", "*,-serviceaccount-controller") == set()
	disabled(":v1.27.3", "*,-serviceaccount") == {"serviceaccount-controller"}
	disabled(":v1.28.0", "*,-legacy-serviceaccount-token-cleaner-controller") == set()
	disabled(":v1.29.0", "*,-legacy-service-account-token-cleaner") == {"legacy-serviceaccount-token-cleaner-controller"}
	disabled("@sha256:0", "*,-legacy-service-account-token-cleaner,-serviceaccount-controller") == {
		"serviceaccount-controller", "legacy-serviceaccount-token-cleaner-controller",
	}
}

all_but_cleaner := {"serviceaccount-controller", "serviceaccount-token-controller", "root-ca-certificate-publisher-controller"}

# A list without * is complete. Without controllers that create pods, it is for a control plane without pods.
test_lists_without_a_star if {
	disabled(":v1.34.0", "namespace,replicaset-controller") == all_but_cleaner
	disabled(":v1.27.0", "namespace,job,serviceaccount") == all_but_cleaner - {"serviceaccount-controller"}
	disabled(":v1.34.0", "namespace,garbagecollector,serviceaccount-token") == set()
	some finding in manager(":v1.34.0", ["--controllers=daemonset,serviceaccount,root-ca-cert-publisher"])
	finding.severity == "note"
	contains(finding.message, "Add serviceaccount-token-controller to --controllers.")
	some older in manager(":v1.27.0", ["--controllers=daemonset,serviceaccount,root-ca-cert-publisher"])
	contains(older.message, "Add serviceaccount-token to --controllers.")
}

test_kubeadm if {
	some finding in report({
		"apiVersion": "kubeadm.k8s.io/v1beta3", "kind": "ClusterConfiguration", "kubernetesVersion": "stable-1.27",
		"controllerManager": {"extraArgs": {"controllers": "*,-serviceaccount"}}, "apiServer": {"extraArgs": {"controllers": "-serviceaccount-token"}},
	})
	finding.path == ["controllerManager", "extraArgs", "controllers"]
	finding.case == ["serviceaccount-controller"]
	count(report({
		"apiVersion": "controlplane.cluster.x-k8s.io/v1beta1", "kind": "KubeadmControlPlane",
		"spec": {
			"version": "v1.27.4",
			"kubeadmConfigSpec": {"clusterConfiguration": {"controllerManager": {"extraArgs": {"controllers": "*,-serviceaccount-controller"}}}},
		},
	})) == 0
}

test_openshift if {
	some finding in report({
		"apiVersion": "operator.openshift.io/v1", "kind": "KubeControllerManager", "metadata": {"name": "cluster"},
		"spec": {"observedConfig": {"extendedArguments": {"controllers": ["*", "-ttl", "-serviceaccount"]}}},
	})
	finding.path == ["spec", "observedConfig", "extendedArguments", "controllers", 2]
	startswith(finding.message, "KubeControllerManager cluster disables serviceaccount-controller of kube-controller-manager.")
}

test_deployments if {
	count(report({
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "karmada-kube-controller-manager"},
		"spec": {"template": {"spec": {"containers": [{"name": "a", "command": ["kube-controller-manager", "--controllers=*,-serviceaccount"]}]}}},
	})) == 0
}
