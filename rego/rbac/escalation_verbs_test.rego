package salint.rules.rbac.escalation_verbs_test

import data.salint.rules.rbac.escalation_verbs as rule

group := "rbac.authorization.k8s.io"

report(name, rules) := found if found := rule.report with input as {"resource": {"kind": "ClusterRole", "metadata": {"name": name}, "rules": rules}}

of(groups, resources, verbs) := {"apiGroups": groups, "resources": resources, "verbs": verbs}

powers := [
	of([group], ["roles"], ["escalate"]), of(["*"], ["clusterroles"], ["get", "bind"]), of([group], ["*"], ["bind"]),
	of([""], ["users"], ["impersonate"]), of(["authentication.k8s.io"], ["userextras/scopes"], ["impersonate"]),
	of([""], ["serviceaccounts/token"], ["create"]), of([group], ["roles"], ["*"]), of([""], ["serviceaccounts/token"], ["*"]),
]

test_powers if {
	every power in powers {
		some finding in report("manager", [power])
		finding.path == ["rules", 0]
		not finding.severity
	}
}

test_not_powers if {
	every power in [
		of([group], ["roles"], ["create", "update"]), of(["apps"], ["roles"], ["escalate"]), of([group], ["rolebindings"], ["bind"]),
		of([""], ["serviceaccounts"], ["create"]), of([""], ["pods"], ["impersonate"]), of(["*"], ["*"], ["*"]),
	] {
		count(report("manager", [power])) == 0
	}
}

test_together_in_one_rule_only if {
	count(report("manager", [of([group], ["roles"], ["get"]), of(["apps"], ["deployments"], ["escalate"])])) == 0
}

test_limited_by_names if {
	some finding in report("manager", [object.union(powers[1], {"resourceNames": ["reader"]})])
	finding.severity == "note"
	some admin in report("manager", [object.union(powers[1], {"resourceNames": ["reader", "cluster-admin"]})])
	not admin.severity
}

test_kubernetes_own if count(report("system:controller:a", powers)) == 0
