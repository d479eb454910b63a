package salint.rules.grafana.token_expiring_test

import data.salint.rules.grafana.token_expiring as rule
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

test_dates if {
	every date in ["2026-01-31T12:00:01Z", "2026-03-02T12:00:00Z"] {
		some finding in found(expiring(date))
		finding.path == ["spec", "tokens", 0, "expires"]
	}
	every date in ["2026-01-31T12:00:00Z", "2026-03-02T12:00:01Z", "2999-01-01T00:00:00Z", "${DATE}", null] {
		count(found(expiring(date))) == 0
	}
}

test_message if {
	some finding in found([{"expires": "2026-02-14T00:00:00Z"}])
	contains(finding.message, "The token 1 of GrafanaServiceAccount monitoring/reader expires at 2026-02-14T00:00:00Z, in 13 days")
}

test_disabled_accounts if {
	disabled := object.union(account(expiring("2026-02-14T00:00:00Z")), {"spec": {"isDisabled": true}})
	count(report(testing.at_time(testing.alone("ignored", disabled), now))) == 0
}
