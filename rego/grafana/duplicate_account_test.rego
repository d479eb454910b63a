package salint.rules.grafana.duplicate_account_test

import data.salint.rules.grafana.duplicate_account as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.lookup as testing.find
		with salint.ref as testing.ref
}

account(name, spec) := testing.grafana_account(name, object.union({"instanceName": "grafana"}, spec))

# The rule checks units, so it is evaluated for an arbitrary object.
found(files) := report(testing.judge("ignored", object.union({"a.yaml": [anything]}, files), "a.yaml#0/"))

anything := {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "anything"}}

parties(files) := {[finding.ref, finding.path] | some finding in found(files)}

test_equal_names if {
	parties({"a.yaml": [account("metrics", {}), account("other", {"name": "metrics"})]}) == {
		["a.yaml#0/", ["metadata", "name"]],
		["a.yaml#1/", ["spec", "name"]],
	}
	parties({"a.yaml": [account("metrics", {"name": null}), account("other", {"name": "metrics"})]}) == {
		["a.yaml#0/", ["metadata", "name"]],
		["a.yaml#1/", ["spec", "name"]],
	}
	some finding in found({"a.yaml": [account("a", {"name": "m"}), account("b", {"name": "m"}), account("c", {"name": "m"})]})
	finding.ref == "a.yaml#0/"
	contains(finding.message, "as does GrafanaServiceAccount monitoring/b and GrafanaServiceAccount monitoring/c.")
}

test_different_accounts if {
	every files in [
		{"a.yaml": [account("a", {}), account("b", {})]},
		{"a.yaml": [account("a", {"name": "m"}), account("b", {"name": "m", "instanceName": "other"})]},
		{"a.yaml": [account("a", {"name": "m"}), testing.in_namespace(account("b", {"name": "m"}), "other")]},
		{"a.yaml": [account("a", {"name": "m"}), testing.in_namespace(account("b", {"name": "m"}), "")]},
		{"a.yaml": [account("a", {"name": "${N}"}), account("b", {"name": "${N}"})]},
		{"a.yaml": [account("a", {"name": "m", "instanceName": "${G}"}), account("b", {"name": "m", "instanceName": "${G}"})]},
	] {
		count(found(files)) == 0
	}
}

test_several_clusters if {
	grafana := testing.grafana("grafana", "monitoring", {})
	count(found({
		"dev/a.yaml": [account("a", {"name": "m"}), grafana],
		"prod/a.yaml": [account("b", {"name": "m"}), grafana],
	})) == 0
	count(found({"dev/a.yaml": [account("m", {})], "prod/a.yaml": [account("m", {})]})) == 0
}
