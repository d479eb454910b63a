package salint.rules.grafana.tokens_omitted_test

import data.salint.rules.grafana.tokens_omitted as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.lookup as testing.find
		with salint.ref as testing.ref
}

found(spec) := report(testing.alone("ignored", testing.grafana_account("reader", spec)))

test_no_tokens if {
	some finding in found({"instanceName": "grafana"})
	finding.path == ["spec"]
	startswith(finding.message, "GrafanaServiceAccount monitoring/reader lists no tokens")
}

test_list if {
	every tokens in [[], [{"name": "a"}], "${TOKENS}"] { count(found({"tokens": tokens})) == 0 }
	count(found("${SPEC}")) == 0
}

test_null if count(found({"instanceName": "grafana", "tokens": null})) == 1

test_suspended if {
	count(found({"instanceName": "grafana", "suspend": true})) == 0
	count(found({"instanceName": "grafana", "suspend": false})) == 1
}

test_patch if {
	world := testing.alone("ignored", testing.grafana_account("reader", {}))
	count(report(testing.transformed(world))) == 0
}
