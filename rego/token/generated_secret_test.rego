package salint.rules.token.generated_secret_test

import data.salint.rules.token.generated_secret as rule

reference(name) := {"name": name, "path": ["spec", "volumes", 0, "secret", "secretName"], "mount": true, "pulls": false}

pod := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"}, "spec": {"serviceAccountName": "web", "containers": []}}

report(name, accounts, known) := found if {
	found := rule.report with input as {"resource": pod}
		with salint.secret_references as [reference(name)]
		with salint.find as accounts
		with salint.may_have_secret as known
}

test_account_of_the_pod if {
	some finding in report("web-token-x7k2p", [], false)
	contains(finding.message, "Pod shop/web names Secret web-token-x7k2p, which older versions of Kubernetes generated for ServiceAccount web.")
}

test_another_account if {
	count(report("robot-token-zzzzz", [], false)) == 0
	count(report("robot-token-zzzzz", [{"ref": "a.yaml#0/", "resource": {}}], false)) == 1
}

test_other_names if {
	count(report("web-token-abcde", [], false)) == 0 # with vowels
	count(report("web-token-x7k2", [], false)) == 0
	count(report("web-token-x7k2p", [], true)) == 0
}

test_list_of_an_account if {
	account := {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "web", "namespace": "shop"}}
	some finding in rule.report with input as {"resource": account}
		with salint.secret_references as [{"name": "web-token-x7k2p", "path": ["secrets", 0, "name"], "mount": false, "pulls": false}]
		with salint.find as []
		with salint.may_have_secret as false
	finding.path == ["secrets", 0, "name"]
	endswith(finding.message, "Since 1.24, there is none. Remove the name from the list.")
}
