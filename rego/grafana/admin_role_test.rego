package salint.rules.grafana.admin_role_test

import data.salint.rules.grafana.admin_role as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.lookup as testing.find
		with salint.ref as testing.ref
}

found(role) := report(testing.alone("ignored", testing.grafana_account("reader", {"role": role})))

test_admin if {
	some finding in found("Admin")
	finding.path == ["spec", "role"]
}

test_others if every role in ["Viewer", "Editor", "admin", "${ROLE}", null] { count(found(role)) == 0 }
