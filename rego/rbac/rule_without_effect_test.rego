package salint.rules.rbac.rule_without_effect_test

import data.salint.rules.rbac.rule_without_effect as rule
import data.salint.testing

report(rules) := found if {
	role := {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "r"}, "rules": rules}
	found := rule.report with input as testing.alone("ignored", role)
}

paths(rules) := {finding.path | some finding in report(rules)}

in_group(group, verb) := [{"apiGroups": [group], "resources": ["users"], "verbs": [verb]}]

with_names(group, resource, verb, name) := [{"apiGroups": [group], "resources": [resource], "verbs": [verb], "resourceNames": [name]}]

test_subresources if {
	paths([{"apiGroups": [""], "resources": ["pods", "pods/*"], "verbs": ["get"]}]) == {["rules", 0, "resources", 1]}
	every resource in ["*", "*/*", "*/scale", "pods/log"] {
		count(report([{"apiGroups": [""], "resources": [resource], "verbs": ["get"]}])) == 0
	}
}

test_verbs_of_roles if {
	group := "rbac.authorization.k8s.io"
	every verb in ["bind", "escalate"] {
		paths([{"apiGroups": [group], "resources": ["rolebindings"], "verbs": ["create", verb]}]) == {["rules", 0, "verbs", 1]}
		count(report([{"apiGroups": [group], "resources": ["rolebindings", "roles"], "verbs": ["create", verb]}])) == 0
		count(report([{"apiGroups": [group], "resources": ["*"], "verbs": [verb]}])) == 0
		count(report([{"apiGroups": ["example.com"], "resources": ["rolebindings"], "verbs": [verb]}])) == 0
	}
}

test_stars_in_names if {
	every name in ["*", "web-*"] {
		paths(with_names("", "secrets", "get", name)) == {["rules", 0, "resourceNames", 0]}
	}
}

test_stars_that_are_names if {
	modes := "authentication.k8s.io"
	count(report(with_names(modes, "nodes", "impersonate:associated-node", "*"))) == 0
	count(report(with_names(modes, "groups", "*", "*"))) == 0
	count(report(with_names(modes, "userextras/*", "impersonate:user-info", "*"))) == 0
	count(report(with_names("certificates.k8s.io", "signers", "sign", "example.com/*"))) == 0
	count(report(with_names("rbac.authorization.k8s.io", "clusterroles", "bind", "*"))) == 0
	count(report(with_names("custom.metrics.k8s.io", "pods/http_requests", "get", "*"))) == 0
	count(report(with_names("", "secrets", "get", "${NAME}"))) == 0
}

test_stars_that_are_no_names if {
	every resource in ["users", "serviceaccounts"] {
		paths(with_names("authentication.k8s.io", resource, "impersonate:user-info", "*")) == {["rules", 0, "resourceNames", 0]}
	}
	paths(with_names("certificates.k8s.io", "signers", "sign", "*")) == {["rules", 0, "resourceNames", 0]}
}

test_verbs_of_constrained_impersonation if {
	every verb in ["impersonate:*", "impersonate-on:*", "impersonate-on:user-info:*"] {
		paths(in_group("authentication.k8s.io", verb)) == {["rules", 0, "verbs", 0]}
	}
	paths(in_group("", "impersonate:user-info")) == {["rules", 0, "verbs", 0]}
	paths(in_group("authentication.k8s.io", "impersonate")) == {["rules", 0, "verbs", 0]}
	every rules in [in_group("authentication.k8s.io", "impersonate:user-info"), in_group("", "impersonate"), in_group("", "impersonate-on:user-info:get"), in_group("*", "impersonate")] {
		count(report(rules)) == 0
	}
}
