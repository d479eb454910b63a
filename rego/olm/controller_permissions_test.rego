package salint.rules.olm.controller_permissions_test

import data.salint.rules.olm.controller_permissions as rule
import data.salint.testing

harbor := testing.cluster_extension("harbor", testing.installed_as("harbor-installer"))

# A world sets the gap.
gap(_) := input.gap

report(gap_of) := found if {
	world := object.union(testing.judge("ignored", {"a.yaml": [harbor]}, "a.yaml#0/"), {"gap": gap_of})
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.ref as testing.ref
		with salint.identity as testing.identity
		with salint.controller_gap as gap
}

of(lack, missing) := {
	"lack": lack, "here": true, "ref": "olm.yaml#0/", "subject_index": 1, "missing": missing,
	"account": {"kind": "ServiceAccount", "namespace": "olmv1-system", "name": "operator-controller-controller-manager"},
}

tokens := [{"namespace": "harbor-system", "rules": [], "texts": ["create serviceaccounts/token harbor-installer"]}]

test_the_finding_is_at_the_binding if {
	some finding in report(of("install", []))
	finding.ref == "olm.yaml#0/"
	finding.path == ["subjects", 1]
	not finding.severity
	contains(finding.message, "No extension is installed")
}

test_a_binding_of_another_unit_is_related if {
	some finding in report(object.union(of("install", []), {"here": false}))
	finding.path == ["metadata", "name"]
	finding.related[0].ref == "olm.yaml#0/"
}

test_an_unknown_need_is_a_note if {
	some finding in report(of("unproven", []))
	finding.severity == "note"
}

test_missing_tokens_name_the_extension if {
	some finding in report(of("tokens", tokens))
	contains(finding.message, "harbor")
	contains(finding.message, "create serviceaccounts/token harbor-installer in namespace harbor-system")
}

test_nothing_lacking if {
	found := rule.report with input as testing.judge("ignored", {"a.yaml": [harbor]}, "a.yaml#0/")
		with salint.extension as testing.extension
		with salint.controller_gap as gap
	count(found) == 0
}
