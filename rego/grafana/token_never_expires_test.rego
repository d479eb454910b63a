package salint.rules.grafana.token_never_expires_test

import data.salint.rules.grafana.token_never_expires as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.lookup as testing.find
		with salint.ref as testing.ref
}

account(tokens) := testing.grafana_account("reader", {"instanceName": "grafana", "role": "Viewer", "tokens": tokens})

now := "2026-01-31T12:00:00Z"

found(tokens) := report(testing.at_time(testing.alone("ignored", account(tokens)), now))

expiring(date) := [{"name": "a", "expires": date}]

test_tokens_without_a_date if {
	some finding in found([{"name": "a", "secretName": "a"}])
	finding.path == ["spec", "tokens", 0]
	contains(finding.message, "token a of GrafanaServiceAccount monitoring/reader never expires")
}

test_tokens_with_a_date if {
	every date in ["2026-12-31T00:00:00Z", "${DATE}", "soon"] { count(found(expiring(date))) == 0 }
	count(found(["a"])) == 0
}

test_null if count(found(expiring(null))) == 1

test_patch if {
	count(report(testing.transformed(testing.alone("ignored", account([{"name": "a"}]))))) == 0
}
