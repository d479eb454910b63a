package salint.rules.olm.extension_write_access_test

import data.salint.rules.olm.extension_write_access as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.lookup as testing.find
		with salint.anywhere as testing.anywhere
		with salint.bindings_of as testing.bindings_of
		with salint.ref as testing.ref
		with salint.granted_rules as testing.granted_rules
}

writes(resources, verbs, names) := {
	"apiGroups": ["olm.operatorframework.io"],
	"resources": resources, "verbs": verbs, "resourceNames": names,
}

editor := writes(["clusterextensions"], ["get", "create", "update"], [])

developers := testing.group("developers")

world(model, subjects, rules, more) := testing.judge(
	model,
	{"a.yaml": array.concat(
		[testing.cluster_role_binding("editors", "editor", subjects), testing.cluster_role("editor", rules)],
		more,
	)},
	"a.yaml#0/",
)

policy(resources, operations) := {
	"apiVersion": "admissionregistration.k8s.io/v1",
	"kind": "ValidatingAdmissionPolicy",
	"metadata": {"name": "limits"},
	"spec": {
		"matchConstraints": {"resourceRules": [{
			"apiGroups": ["olm.operatorframework.io"], "apiVersions": ["*"],
			"resources": resources, "operations": operations,
		}]},
		"validations": [{"expression": "false"}],
	},
}

policy_binding(actions) := {
	"apiVersion": "admissionregistration.k8s.io/v1",
	"kind": "ValidatingAdmissionPolicyBinding",
	"metadata": {"name": "limits"},
	"spec": {"policyName": "limits", "validationActions": actions},
}

test_developers_may_write if {
	every model in {"ignored", "removed"} {
		some finding in report(world(model, [developers], [editor], []))
		finding.path == ["roleRef"]
		startswith(finding.message, concat(" ", [
			"ClusterRoleBinding editors lets Group developers create and update clusterextensions.",
			"OLM installs every extension as its own cluster-admin account",
		]))
		finding.related[0].ref == "a.yaml#1/"
	}
	every model in {"required", "synthetic"} {
		some finding in report(world(model, [developers], [editor], []))
		contains(finding.message, "as which account, in any namespace")
	}
}

test_all_resources_verbs_and_wildcards if {
	every rule_of_role in [
		writes(["clusterobjectsets"], ["patch"], []),
		writes(["clustercatalogs"], ["update"], []),
		writes(["*"], ["*"], []),
		writes(["clusterextensions"], ["update"], ["harbor"]),
		{"apiGroups": ["*"], "resources": ["clusterextensions"], "verbs": ["create"], "resourceNames": []},
	] {
		count(report(world("ignored", [developers], [rule_of_role], []))) == 1
	}
}

test_what_is_no_write_access if {
	every rule_of_role in [
		writes(["clusterextensions"], ["get", "list", "watch", "delete"], []),
		writes(["clusterextensions/status", "clusterextensions/finalizers"], ["update"], []),
		writes(["clusterextensions"], ["create"], ["harbor"]),
		{"apiGroups": ["apps"], "resources": ["*"], "verbs": ["*"], "resourceNames": []},
		{"apiGroups": [""], "resources": ["clusterextensions"], "verbs": ["create"], "resourceNames": []},
	] {
		count(report(world("ignored", [developers], [rule_of_role], []))) == 0
	}
}

test_administrators if {
	subjects := [
		testing.group("system:masters"),
		testing.group("system:cluster-admins"),
		testing.account_subject("olmv1-system", "operator-controller-controller-manager"),
		testing.account_subject("olmv1-system", "catalogd-controller-manager"),
	]
	count(report(world("ignored", subjects, [editor], []))) == 0
	count(report(world("ignored", [developers], testing.everything, []))) == 0
	admins := testing.cluster_role_binding("admins", "cluster-admin", [developers])
	count(report(world("ignored", [developers], [editor], [admins]))) == 0
}

test_only_those_who_are_no_administrators_are_named if {
	some finding in report(world("ignored", [testing.group("system:masters"), developers], [editor], []))
	not contains(finding.message, "masters")
}

test_denying_policy_closes_it if {
	limits := [policy(["clusterextensions"], ["CREATE", "UPDATE"]), policy_binding(["Deny", "Audit"])]
	count(report(world("ignored", [developers], [editor], limits))) == 0
	count(report(testing.elsewhere(world("ignored", [developers], [editor], []), {"policies/a.yaml": limits}))) == 0
	wildcards := [policy(["*"], ["*"]), policy_binding(["Deny"])]
	count(report(world("ignored", [developers], [editor], wildcards))) == 0
}

test_policy_that_leaves_something_open if {
	every limits in [
		[policy(["clusterextensions"], ["CREATE", "UPDATE"])],
		[policy(["clusterextensions"], ["CREATE", "UPDATE"]), policy_binding(["Warn"])],
		[policy(["clusterextensions"], ["CREATE"]), policy_binding(["Deny"])],
		[policy(["clustercatalogs"], ["CREATE", "UPDATE"]), policy_binding(["Deny"])],
		[object.union(policy(["*"], ["*"]), {"metadata": {"name": "other"}}), policy_binding(["Deny"])],
		[object.union(policy(["*"], ["*"]), {"spec": {"validations": []}}), policy_binding(["Deny"])],
	] {
		count(report(world("ignored", [developers], [editor], limits))) == 1
	}
	some finding in report(world("ignored", [developers], [editor], [
		policy(["clusterextensions"], ["CREATE"]),
		policy_binding(["Deny"]),
	]))
	contains(finding.message, "lets Group developers update clusterextensions.")
}

test_role_that_is_not_in_the_repository if {
	binding := testing.cluster_role_binding("editors", "elsewhere", [developers])
	count(report(testing.alone("ignored", binding))) == 0
}

test_without_signs_the_target_is_named if {
	some finding in report(testing.unknown(world("synthetic", [developers], [editor], [])))
	contains(finding.message, "--target names another")
}
