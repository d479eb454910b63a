package salint.rules.token.long_lifetime_test

import data.salint.rules.token.long_lifetime as rule

pod(seconds) := {
	"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"},
	"spec": {"containers": [], "volumes": [{"name": "t", "projected": {"sources": [{"serviceAccountToken": {"path": "t", "expirationSeconds": seconds}}]}}]},
}

report(seconds) := found if {
	found := rule.report with input as {"resource": pod(seconds)}
}

test_long if {
	some finding in report(31536000)
	finding.path == ["spec", "volumes", 0, "projected", "sources", 0, "serviceAccountToken", "expirationSeconds"]
	contains(finding.message, "Pod shop/web projects a token that lives 365 days.")
	some other in report(90000)
	contains(other.message, "lives 25 hours")
}

test_short if {
	every seconds in [3600, 86400, 4294967297, "31536000"] {
		count(report(seconds)) == 0
	}
}
