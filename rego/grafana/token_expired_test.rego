package salint.rules.grafana.token_expired_test

import data.salint.rules.grafana.token_expired as rule
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
	every date in ["2025-12-31T00:00:00Z", "2026-01-31T12:00:00Z", "2026-01-31T13:59:59+02:00"] {
		some finding in found(expiring(date))
		finding.path == ["spec", "tokens", 0, "expires"]
		contains(finding.message, "token a of GrafanaServiceAccount monitoring/reader expired")
	}
	every date in ["2026-01-31T12:00:01Z", "2999-01-01T00:00:00Z", "${DATE}", "soon", 5, null] {
		count(found(expiring(date))) == 0
	}
	count(found([{"name": "a"}, "b"])) == 0
}

test_days if {
	some finding in found(expiring("2026-01-21T12:00:00Z"))
	contains(finding.message, ", 10 days ago.")
	some today in found(expiring(now))
	contains(today.message, ", less than a day ago.")
	some yesterday in found(expiring("2026-01-30T12:00:00Z"))
	contains(yesterday.message, ", a day ago.")
}

test_disabled_accounts if {
	disabled := object.union(account(expiring("2025-12-31T00:00:00Z")), {"spec": {"isDisabled": true}})
	count(report(testing.at_time(testing.alone("ignored", disabled), now))) == 0
}

test_without_a_time if count(report(testing.alone("ignored", account(expiring(now))))) == 0
