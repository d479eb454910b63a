package salint.rules.grafana.secret_renamed_test

import data.salint.rules.grafana.secret_renamed as rule

account(tokens) := {
	"apiVersion": "grafana.integreatly.org/v1beta1", "kind": "GrafanaServiceAccount",
	"metadata": {"name": "reader", "namespace": "monitoring"},
	"spec": {"instanceName": "grafana", "role": "Viewer", "tokens": tokens},
}

report(before, now) := found if {
	found := rule.report with input as {"resource": account(now)}
		with salint.former as {"now": account(now), "before": account(before)}
}

test_another_name if {
	some finding in report([{"name": "a", "secretName": "x"}], [{"name": "b"}, {"name": "a", "secretName": "y"}])
	finding.path == ["spec", "tokens", 1, "secretName"]
	startswith(finding.message, "The token a of GrafanaServiceAccount monitoring/reader moves from Secret x to Secret y. ")
}

test_a_name_is_added_or_removed if {
	some added in report([{"name": "a"}], [{"name": "a", "secretName": "y"}])
	contains(added.message, "moves from a generated Secret to Secret y.")
	some removed in report([{"name": "a", "secretName": "x"}], [{"name": "a"}])
	removed.path == ["spec", "tokens", 0]
	contains(removed.message, "moves from Secret x to a generated Secret.")
}

test_no_other_name if {
	count(report([{"name": "a", "secretName": "x"}], [{"name": "a", "secretName": "x", "expires": "2026-06-30T00:00:00Z"}])) == 0
	count(report([{"name": "a"}], [{"name": "a", "secretName": null}])) == 0
	count(report([{"name": "a", "secretName": "x"}], [{"name": "b", "secretName": "y"}])) == 0
}

test_unclear_names if {
	count(report([{"name": "a", "secretName": "${OLD}"}], [{"name": "a", "secretName": "y"}])) == 0
	count(report([{"name": "a", "secretName": "x"}, {"name": "a", "secretName": "y"}], [{"name": "a", "secretName": "y"}])) == 0
	count(report([{"name": 3, "secretName": 3}, "a"], [{"name": 3, "secretName": 4}, "a"])) == 0
}

# A patch that sets the name decides, and not the manifest.
test_patched if {
	found := rule.report with input as {"resource": account([{"name": "a", "secretName": "z"}])}
		with salint.former as {"now": account([{"name": "a", "secretName": "y"}]), "before": account([{"name": "a", "secretName": "x"}])}
	count(found) == 0
}

test_suspended if {
	suspended := object.union(account([{"name": "a", "secretName": "y"}]), {"spec": {"suspend": true}})
	found := rule.report with input as {"resource": suspended}
		with salint.former as {"now": suspended, "before": account([{"name": "a", "secretName": "x"}])}
	count(found) == 0
}
