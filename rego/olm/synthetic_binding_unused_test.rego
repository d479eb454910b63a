package salint.rules.olm.synthetic_binding_unused_test

import data.salint.rules.olm.synthetic_binding_unused as rule
import data.salint.testing

mistyped(subject) := {"kind": "", "name": "", "why": ""} if subject.name == "olm:clusterextensions:harbor"

report(model, subjects) := found if {
	binding := testing.cluster_role_binding("harbor", "installer", subjects)
	found := rule.report with input as testing.alone(model, binding)
		with salint.mistyped as mistyped
		with salint.find as testing.find
		with salint.extension as testing.extension
}

synthetic := [
	testing.user("olm:clusterextension:harbor"),
	testing.group("olm:clusterextensions"),
	testing.user("olm:clusterextensions:harbor"),
]

test_every_subject_on_targets_without_identities if {
	every model in {"ignored", "removed"} {
		found := report(model, synthetic)
		{finding.path | some finding in found} == {["subjects", 0], ["subjects", 1], ["subjects", 2]}
	}
}

test_targets_with_identities if {
	every model in {"required", "synthetic"} {
		count(report(model, synthetic)) == 0
	}
}

test_message if {
	some finding in report("ignored", [testing.user("olm:clusterextension:harbor")])
	contains(finding.message, "grants ClusterRole installer to User olm:clusterextension:harbor, which has no effect under the model `ignored`: OLM acts as its own cluster-admin account.")
}

test_other_subjects if {
	subjects := [testing.user("admin"), testing.group("admins"), testing.account_subject("olm", "harbor")]
	count(report("ignored", subjects)) == 0
}
