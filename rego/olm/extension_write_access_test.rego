package salint.rules.olm.extension_write_access_test

import data.salint.rules.olm.extension_write_access as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.lookup as testing.find
		with salint.anywhere as testing.anywhere
		with salint.is_administrator as testing.is_administrator
		with salint.ref as testing.ref
		with salint.granted_rules as testing.granted_rules
		with salint.limits as testing.limits
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

# verdict is what admission says of a subject.
verdict(name, operation, state, text) := {
	"name": name, "operation": operation, "resource": "clusterextensions", "state": state,
	"reasons": [{"ref": "b.yaml#0/", "kind": "ValidatingAdmissionPolicy", "name": "limits", "state": state, "text": text}],
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
	admins := testing.with_administrators(world("ignored", [developers], [editor], []), ["developers"])
	count(report(admins)) == 0
	count(report(world("ignored", [developers], testing.everything, []))) == 0
}

test_only_those_who_are_no_administrators_are_named if {
	testers := testing.group("testers")
	some finding in report(testing.with_administrators(world("ignored", [testers, developers], [editor], []), ["testers"]))
	contains(finding.message, "developers")
	not contains(finding.message, "testers")
}

limited(name) := [may_not(name, "CREATE"), may_not(name, "UPDATE")]

may_not(name, operation) := {"name": name, "operation": operation, "resource": "clusterextensions", "state": "limited"}

test_what_is_limited_is_no_finding if {
	count(report(testing.with_limits(world("ignored", [developers], [editor], []), limited("developers")))) == 0
	more := writes(["clusterextensions"], ["patch", "update"], ["harbor", "loki"])
	count(report(testing.with_limits(world("ignored", [developers], [more], []), limited("developers")))) == 0
}

test_those_who_are_not_limited_are_named if {
	testers := testing.group("testers")
	some finding in report(testing.with_limits(world("ignored", [developers, testers], [editor], []), limited("developers")))
	contains(finding.message, "lets Group testers create and update clusterextensions.")
}

test_each_is_named_with_what_is_open_to_it if {
	some finding in report(testing.with_limits(
		world("ignored", [developers, testing.group("testers"), testing.group("users")], [editor], []),
		[may_not("testers", "CREATE")],
	))
	contains(finding.message, concat(" and ", [
		"lets Group developers and Group users create", "update clusterextensions", "lets Group testers update clusterextensions.",
	]))
}

test_says_which_half_is_missing if {
	some finding in report(testing.with_limits(
		world("ignored", [developers], [editor], []),
		[verdict("developers", "CREATE", "open", "looks at UPDATE only"), may_not("developers", "UPDATE")],
	))
	contains(finding.message, "developers create clusterextensions.")
	contains(finding.message, "in effect. ValidatingAdmissionPolicy limits looks at UPDATE only. Leave")
	finding.related[1] == {
		"ref": "b.yaml#0/", "path": ["spec"],
		"message": "ValidatingAdmissionPolicy limits looks at UPDATE only",
	}
}

test_says_when_it_is_not_known if {
	unknown := [verdict("developers", operation, "unknown", "depends on the object") | some operation in ["CREATE", "UPDATE"]]
	some finding in report(testing.with_limits(world("ignored", [developers], [editor], []), unknown))
	finding.severity == "note"
	contains(finding.message, "It is not known whether admission limits that: ValidatingAdmissionPolicy limits depends on the object. Where")
	some worse in report(testing.with_limits(world("ignored", [developers, testing.group("testers")], [editor], []), unknown))
	not worse.severity
	contains(worse.message, "lets Group testers create")
}

test_role_that_is_not_in_the_repository if {
	binding := testing.cluster_role_binding("editors", "elsewhere", [developers])
	count(report(testing.alone("ignored", binding))) == 0
}

test_without_signs_the_target_is_named if {
	some finding in report(testing.unknown(world("synthetic", [developers], [editor], [])))
	contains(finding.message, "--target names another")
}

test_role_that_is_added_to_one_of_kubernetes if {
	bound := testing.cluster_role_binding("editors", "edit", [developers])
	added := object.union(testing.cluster_role("extensions", [editor]), {"metadata": {
		"name": "extensions",
		"labels": {"rbac.authorization.k8s.io/aggregate-to-edit": "true"},
	}})
	found := rule.report with input as testing.judge("ignored", {"a.yaml": [bound, added]}, "a.yaml#0/")
		with salint.lookup as testing.find
		with salint.find as testing.find
		with salint.ref as testing.ref
		with salint.role_rules as testing.role_rules
		with salint.granted_rules as {"rules": [editor], "unknown": [], "partial": []}
		with salint.is_administrator as false
		with salint.limits as testing.limits
	some finding in found
	finding.related == [{"ref": "a.yaml#1/", "path": ["rules"], "message": "what ClusterRole extensions adds to edit"}]
}
