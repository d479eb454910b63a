package salint.rules.rbac.no_rbac_test

import data.salint.rules.rbac.no_rbac as rule

report(resource) := found if found := rule.report with input as {"resource": resource}

server(flags) := report({
	"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "plane"},
	"spec": {"containers": [{"name": "main", "image": "registry.k8s.io/kube-apiserver:v1.36.0", "command": array.concat(["kube-apiserver"], flags)}]},
})

test_modes if {
	some finding in server(["--authorization-mode=Node"])
	finding.path == ["spec", "containers", 0, "command", 1]
	contains(finding.message, "Pod plane sets --authorization-mode=Node, without RBAC.")
	count(server(["--authorization-mode=Node,RBAC"])) == 0
	count(server(["--authorization-mode=RBAC,Webhook"])) == 0
	count(server(["--authorization-mode=AlwaysAllow"])) == 0
	count(server(["--authorization-mode=$(MODES)"])) == 0
	count(server(["--etcd-servers=a"])) == 0
}

test_authorizers if {
	configuration := {"apiVersion": "apiserver.config.k8s.io/v1", "kind": "AuthorizationConfiguration", "metadata": {"name": "a"}}
	count(report(object.union(configuration, {"authorizers": [{"type": "Webhook"}]}))) == 1
	count(report(object.union(configuration, {"authorizers": [{"type": "Webhook"}, {"type": "RBAC"}]}))) == 0
	count(report(object.union(configuration, {"authorizers": []}))) == 0
}
