package salint.rules.olm.fields_immutable_test

import data.salint.rules.olm.fields_immutable as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.identity as testing.identity
		with salint.bindings_of as testing.bindings_of
		with salint.anywhere as testing.anywhere
		with salint.runtime as testing.runtime
		with salint.signs as testing.signs
}

named := testing.cluster_extension("harbor", testing.installed_as("harbor-installer"))

placeholder := testing.cluster_extension("harbor", testing.installed_as("olm.synthetic-user"))

crd(ref, model) := [{
	"kind": "crd", "ref": ref, "path": ["spec"], "model": model, "gates": {},
	"description": "the ClusterExtension CRD (version v1) requires serviceAccount",
}]

test_crd_still_requires_the_field if {
	every model in {"synthetic", "ignored", "removed"} {
		some finding in report(testing.with_signs(testing.alone(model, named), crd("crds/crd.yaml#0/", "required")))
		finding.path == ["spec", "serviceAccount"]
		contains(finding.message, "does not require the field, but the ClusterExtension CRD (version v1) requires serviceAccount. Until the upgrade,")
		finding.related[0].ref == "crds/crd.yaml#0/"
	}
}

test_crd_that_agrees_or_determined_the_target if {
	count(report(testing.with_signs(testing.alone("ignored", named), crd("crd.yaml#0/", "ignored")))) == 0
	count(report(testing.with_signs(testing.alone("required", named), crd("crd.yaml#0/", "required")))) == 0
	detected := object.union(testing.alone("ignored", named), {"target": {"asked": false}})
	count(report(testing.with_signs(detected, crd("crd.yaml#0/", "required")))) == 0
}

test_placeholder_that_is_an_ordinary_account if {
	world := testing.without_placeholder(testing.alone("required", placeholder))
	some finding in report(world)
	contains(finding.message, "Create this account in namespace harbor-system, and bind a role to it.")
	off := testing.with_signs(testing.alone("required", placeholder), [{"kind": "gates", "gates": {"SyntheticPermissions": false}}])
	count(report(off)) == 1
	files := {"b.yaml": [testing.service_account("harbor-system", "olm.synthetic-user")]}
	count(report(object.union(world, {"files": files}))) == 0
	count(report(testing.transformed(world))) == 0
}

test_placeholder_as_intended if {
	count(report(testing.alone("required", placeholder))) == 0
	count(report(testing.alone("synthetic", placeholder))) == 0
}

bound := testing.judge(
	"required",
	{"a.yaml": [named, testing.cluster_role_binding("harbor", "x", [testing.user("olm:clusterextension:harbor")])]},
	"a.yaml#0/",
)

test_binding_without_effect_yet if {
	some finding in report(bound)
	contains(finding.message, "User olm:clusterextension:harbor has a binding, but ClusterExtension harbor names ServiceAccount")
	finding.related == [{"ref": "a.yaml#1/", "path": ["subjects", 0], "message": "has no effect yet"}]
	count(report(testing.without_placeholder(bound))) == 0
	count(report(object.union(bound, {"model": "synthetic"}))) == 0
}

test_no_obstacle if {
	every model in {"required", "synthetic", "ignored", "removed"} {
		count(report(testing.alone(model, named))) == 0
		count(report(testing.alone(model, testing.cluster_extension("harbor", {})))) == 0
	}
}
