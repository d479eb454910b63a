package salint.rules.rbac.anonymous_access_test

import data.salint.rules.rbac.anonymous_access as rule

granted(rules, subject) := found if {
	binding := {
		"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "all"},
		"roleRef": {"kind": "ClusterRole", "name": "deck"}, "subjects": [subject],
	}
	found := rule.report with input as {"resource": binding}
		with data.salint.helpers.rbac.granted as rules
}

anonymous := {"kind": "User", "name": "system:anonymous"}

authenticated := {"kind": "Group", "name": "system:authenticated"}

allow(group, resource, verb) := [{"apiGroups": [group], "resources": [resource], "verbs": [verb]}]

test_anonymous if {
	some finding in granted(allow("", "pods", "get"), anonymous)
	contains(finding.message, "ClusterRoleBinding all grants ClusterRole deck to User system:anonymous. Everyone who reaches the API server has it")
	count(granted(allow("", "pods", "get"), {"kind": "Group", "name": "system:unauthenticated"})) == 1
	count(granted([], anonymous)) == 1
	count(granted([{"nonResourceURLs": ["/healthz", "/version/"], "verbs": ["get"]}], anonymous)) == 0
	count(granted(allow("", "pods", "get"), {"kind": "User", "name": "ann"})) == 0
}

test_authenticated if {
	some finding in granted(allow("", "pods", "create"), authenticated)
	contains(finding.message, "Every user and every account can write. Bind")
	count(granted(allow("", "secrets", "list"), authenticated)) == 1
	count(granted(allow("apps", "*", "get"), authenticated)) == 1
	count(granted(allow("", "pods", "get"), authenticated)) == 0
	count(granted(allow("", "pods", "describe"), authenticated)) == 0
	count(granted(allow("authorization.k8s.io", "selfsubjectaccessreviews", "create"), authenticated)) == 0
}
