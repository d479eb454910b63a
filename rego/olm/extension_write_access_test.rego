package salint.rules.olm.extension_write_access_test

import data.salint.rules.olm.extension_write_access as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.lookup as testing.find
		with salint.lookup_refs as testing.find_refs
		with salint.anywhere as testing.anywhere
		with salint.is_administrator as testing.is_administrator
		with salint.ref as testing.ref
		with salint.granted_rules as testing.granted_rules
		with salint.granted_about as testing.granted_about
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

# verdict returns the decision of admission about a subject.
verdict(name, operation, state, text) := {
	"name": name, "operation": operation, "resource": "clusterextensions", "state": state,
	"reasons": [{"ref": "b.yaml#0/", "kind": "ValidatingAdmissionPolicy", "name": "limits", "state": state, "text": text}],
}

test_developers_can_write if {
	every model in {"ignored", "removed"} {
		some finding in report(world(model, [developers], [editor], []))
		finding.path == ["subjects", 0]
		startswith(finding.message, concat(" ", [
			"ClusterRoleBinding editors allows Group developers to create and update clusterextensions.",
			"OLM acts as a cluster-admin, so this is effectively cluster-admin. Restrict",
		]))
		finding.related[0].ref == "a.yaml#1/"
	}
	every model in {"required", "synthetic"} {
		some finding in report(world(model, [developers], [editor], []))
		contains(finding.message, "OLM acts as any account that they name, even a cluster-admin.")
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

test_other_access if {
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

test_administrators_are_not_named if {
	testers := testing.group("testers")
	some finding in report(testing.with_administrators(world("ignored", [testers, developers], [editor], []), ["testers"]))
	contains(finding.message, "developers")
	not contains(finding.message, "testers")
}

limited(name) := [denied(name, "CREATE"), denied(name, "UPDATE")]

denied(name, operation) := {"name": name, "operation": operation, "resource": "clusterextensions", "state": "limited"}

test_limited_subjects if {
	count(report(testing.with_limits(world("ignored", [developers], [editor], []), limited("developers")))) == 0
	more := writes(["clusterextensions"], ["patch", "update"], ["harbor", "loki"])
	count(report(testing.with_limits(world("ignored", [developers], [more], []), limited("developers")))) == 0
}

test_only_unlimited_subjects_are_named if {
	testers := testing.group("testers")
	some finding in report(testing.with_limits(world("ignored", [developers, testers], [editor], []), limited("developers")))
	contains(finding.message, "allows Group testers to create and update clusterextensions.")
}

test_each_subject_has_a_finding_about_its_access if {
	found := report(testing.with_limits(
		world("ignored", [developers, testing.group("testers"), testing.group("users"), developers], [editor], []),
		[denied("testers", "CREATE"), denied("users", "CREATE"), denied("users", "UPDATE")],
	))
	count(found) == 2
	{[finding.path[1], substring(finding.message, 0, indexof(finding.message, "."))] | some finding in found} == {
		[0, "ClusterRoleBinding editors allows Group developers to create and update clusterextensions"],
		[1, "ClusterRoleBinding editors allows Group testers to update clusterextensions"],
	}
}

test_missing_half_is_named if {
	some finding in report(testing.with_limits(
		world("ignored", [developers], [editor], []),
		[verdict("developers", "CREATE", "open", "looks at UPDATE only"), denied("developers", "UPDATE")],
	))
	contains(finding.message, "developers to create clusterextensions.")
	contains(finding.message, "effectively cluster-admin. Restrict")
	finding.related[1] == {
		"ref": "b.yaml#0/", "path": ["spec"],
		"message": "ValidatingAdmissionPolicy limits looks at UPDATE only",
	}
}

test_unknown_limits_are_a_note if {
	unknown := [verdict("developers", operation, "unknown", "depends on the object") | some operation in ["CREATE", "UPDATE"]]
	some finding in report(testing.with_limits(world("ignored", [developers], [editor], []), unknown))
	finding.severity == "note"
	contains(finding.message, "Whether admission limits this is unknown. Without a limit, this is effectively cluster-admin. Check")
	{[other.path[1], object.get(other, "severity", "warning")] |
		some other in report(testing.with_limits(world("ignored", [developers, testing.group("testers")], [editor], []), unknown))
	} == {[0, "note"], [1, "warning"]}
}

test_role_that_is_not_in_the_repository if {
	binding := testing.cluster_role_binding("editors", "elsewhere", [developers])
	count(report(testing.alone("ignored", binding))) == 0
}

test_unknown_target if {
	some finding in report(testing.unknown(world("synthetic", [developers], [editor], [])))
	contains(finding.message, "OLM acts as any account that a writer names, or as cluster-admin.")
}

test_role_that_is_added_to_one_of_kubernetes if {
	bound := testing.cluster_role_binding("editors", "edit", [developers])
	added := object.union(testing.cluster_role("extensions", [editor]), {"metadata": {
		"name": "extensions",
		"labels": {"rbac.authorization.k8s.io/aggregate-to-edit": "true"},
	}})
	found := rule.report with input as testing.judge("ignored", {"a.yaml": [bound, added]}, "a.yaml#0/")
		with salint.lookup as testing.find
		with salint.lookup_refs as testing.find_refs
		with salint.find as testing.find
		with salint.ref as testing.ref
		with salint.role_rules as testing.role_rules
		with salint.granted_rules as {"rules": [editor], "unknown": [], "partial": []}
		with salint.granted_about as [editor]
		with salint.is_administrator as false
		with salint.limits as testing.limits
	some finding in found
	finding.related == [{"ref": "a.yaml#1/", "path": ["rules"], "message": "ClusterRole extensions adds it to edit"}]
}
