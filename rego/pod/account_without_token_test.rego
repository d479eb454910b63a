package salint.rules.pod.account_without_token_test

import data.salint.rules.pod.account_without_token as rule

account := {
	"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "web", "namespace": "shop"},
	"automountServiceAccountToken": false,
}

binding := {
	"ref": "rbac.yaml#0/", "via": "", "subject_index": 0, "role_ref": "rbac.yaml#1/",
	"role": {"kind": "Role", "namespace": "shop", "name": "reader"},
}

pod(mounted, own) := {"ref": "pod.yaml#0/", "path": ["spec", "serviceAccountName"], "mounted": mounted, "own_token": own}

report(users, rules, mentions) := found if {
	found := rule.report with input as {"resource": account, "unit": {"kind": "plain", "transforms": [], "remotes": [], "problems": []}}
		with salint.ref as "sa.yaml#0/"
		with salint.pods_of_account as users
		with salint.bindings_of as [binding]
		with salint.role_rules as rules
		with salint.mentions as mentions
		with salint.admission as []
}

mention(ref, what) := {"ref": ref, "use": "reference", "what": what}

reads := [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get"]}]

test_no_token if {
	some finding in report([pod(false, false)], reads, [mention("pod.yaml#0/", "Pod spec.serviceAccountName"), mention("service.yaml#0/", "Service metadata.name")])
	finding.ref == "pod.yaml#0/"
	contains(finding.message, "ServiceAccount shop/web has Role reader, and none of its pods gets a token")
}

test_a_token if {
	count(report([pod(true, false)], reads, [])) == 0
	count(report([pod(false, true)], reads, [])) == 0
	count(report([pod(false, false), pod(true, false)], reads, [])) == 0
	count(report([], reads, [])) == 0
}

test_other_uses if {
	count(report([pod(false, false)], reads, [mention("extension.yaml#0/", "ClusterExtension spec.serviceAccount.name")])) == 0
	count(report([pod(false, false)], [{"apiGroups": ["security.openshift.io"], "resources": ["securitycontextconstraints"], "verbs": ["use"]}], [])) == 0
}
