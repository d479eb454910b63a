package salint.rules.rbac.always_allow_test

import data.salint.rules.rbac.always_allow as rule

report(resource) := found if found := rule.report with input as {"resource": resource}

workload(kind, flags) := {"apiVersion": "v1", "kind": kind, "metadata": {"name": "plane", "namespace": "kube-system"}, "spec": spec} if {
	container := {"name": "main", "image": "registry.k8s.io/kube-apiserver:v1.34.0", "command": array.concat(["kube-apiserver"], flags)}
	spec := {"containers": [container], "template": {"spec": {"containers": [container]}}}
}

server(flags) := report(workload("Pod", flags))

test_the_flag if {
	some finding in server(["--etcd-servers=a", "--authorization-mode=Node,AlwaysAllow"])
	finding.path == ["spec", "containers", 0, "command", 2]
	not finding.severity
	contains(finding.message, "Pod plane sets the authorization mode AlwaysAllow of kube-apiserver. The API server allows every request to everyone")
	count(server(["--authorization_mode", "AlwaysAllow"])) == 1
	count(server(["--authorization-mode=Node,RBAC"])) == 0
	count(server(["--authorization-mode=$(MODES)"])) == 0
	count(server(["--authorization-mode=AlwaysAllow", "--version"])) == 0
}

test_the_default if {
	some finding in server(["--etcd-servers=a"])
	finding.path == ["spec", "containers", 0]
	finding.severity == "warning"
	contains(finding.message, "without --authorization-mode, whose default is AlwaysAllow.")
	count(server(["--authorization-config=/etc/authorization.yaml"])) == 0
	count(server(["--config=/etc/flags.yaml"])) == 0
	count(server(["$(FLAGS)"])) == 0
}

# A Deployment can be a control plane behind another one.
test_other_control_planes if {
	count(report(object.union(workload("Deployment", ["--authorization-mode=AlwaysAllow"]), {"apiVersion": "apps/v1"}))) == 0
	count(report({
		"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"},
		"spec": {"containers": [{"name": "b", "command": ["karmada-apiserver", "--authorization-mode=AlwaysAllow"]}]},
	})) == 0
}

modes := {"authorization-mode": "AlwaysAllow"}

test_kubeadm if {
	some finding in report({"apiVersion": "kubeadm.k8s.io/v1beta3", "kind": "ClusterConfiguration", "apiServer": {"extraArgs": modes}})
	finding.path == ["apiServer", "extraArgs", "authorization-mode"]
	count(report({"apiVersion": "kubeadm.k8s.io/v1beta3", "kind": "ClusterConfiguration", "scheduler": {"extraArgs": modes}})) == 0
	count(report({"apiVersion": "kubeadm.k8s.io/v1beta3", "kind": "ClusterConfiguration", "apiServer": {"extraArgs": {"v": "2"}}})) == 0
}

test_openshift if {
	some finding in report({
		"apiVersion": "kubecontrolplane.config.openshift.io/v1", "kind": "KubeAPIServerConfig",
		"apiServerArguments": {"authorization-mode": ["RBAC", "AlwaysAllow"]},
	})
	finding.path == ["apiServerArguments", "authorization-mode", 1]
}

test_authorizers if {
	some finding in report({"apiVersion": "apiserver.config.k8s.io/v1", "kind": "AuthorizationConfiguration", "authorizers": [{"type": "Node"}, {"type": "AlwaysAllow"}]})
	finding.path == ["authorizers", 1, "type"]
	count(report({"apiVersion": "apiserver.config.k8s.io/v1", "kind": "AuthorizationConfiguration", "authorizers": [{"type": "RBAC"}]})) == 0
}
