package salint.rules.olm.synthetic_binding_dangling_test

import data.salint.rules.olm.synthetic_binding_dangling as rule
import data.salint.testing

report(world) := report_after(world, [])

report_after(world, removed) := found if {
	found := rule.report with input as world
		with salint.removed as removed
		with salint.extension as testing.extension
		with salint.anywhere as testing.anywhere
		with salint.refs_anywhere as testing.refs_anywhere
		with salint.renamed as testing.renamed
		with salint.bindings_of as testing.bindings_of
}

harbor := testing.cluster_extension("harbor", {})

bound(subjects) := testing.cluster_role_binding("harbor", "installer", subjects)

beside_harbor(model, subjects) := testing.judge(model, {"a.yaml": [harbor, bound(subjects)]}, "a.yaml#1/")

gone := testing.user("olm:clusterextension:gone")

test_extension_is_gone if {
	every model in {"required", "synthetic"} {
		some finding in report(beside_harbor(model, [testing.user("olm:clusterextension:harbor"), gone]))
		finding.path == ["subjects", 1]
		contains(finding.message, "grants ClusterRole installer to User olm:clusterextension:gone, but the repository has no ClusterExtension gone. Anyone who creates it gets the role.")
	}
}

test_other_models_have_another_rule if {
	every model in {"ignored", "removed"} {
		count(report(beside_harbor(model, [gone]))) == 0
	}
}

test_extension_exists if {
	count(report(beside_harbor("synthetic", [testing.user("olm:clusterextension:harbor")]))) == 0
}

test_extension_in_another_unit if {
	elsewhere := {"apps/gone.yaml": [testing.cluster_extension("gone", {})]}
	count(report(testing.elsewhere(beside_harbor("synthetic", [gone]), elsewhere))) == 0
}

test_repository_of_access_rules if {
	count(report(testing.alone("synthetic", bound([gone])))) == 0
}

test_last_extension_removed if {
	some finding in report_after(testing.alone("synthetic", bound([gone])), [testing.cluster_extension("gone", {})])
	contains(finding.message, "the repository has no ClusterExtension gone")
}

test_templated_names if {
	count(report(beside_harbor("synthetic", [testing.user("olm:clusterextension:${NAME}")]))) == 0
	templated := {"a.yaml": [testing.cluster_extension("${NAME}", {}), bound([gone])]}
	count(report(testing.judge("synthetic", templated, "a.yaml#1/"))) == 0
}

test_other_subjects if {
	subjects := [
		testing.group("olm:clusterextensions"),
		testing.group("olm:clusterextension:gone"),
		testing.user("olm:clusterextension:"),
		testing.user("olm:clusterextension:team:gone"),
		testing.user("admin"),
		testing.account_subject("harbor-system", "gone"),
	]
	count(report(beside_harbor("synthetic", subjects))) == 0
}

test_transformed_names if {
	count(report(testing.transformed(beside_harbor("synthetic", [gone])))) == 0
}
