package salint.rules.token.identity_provider_test

import data.salint.rules.token.identity_provider as rule

kubeadm(flags) := found if found := rule.report with input as {"resource": {
	"apiVersion": "kubeadm.k8s.io/v1beta3", "kind": "ClusterConfiguration", "apiServer": {"extraArgs": flags},
}}

mapped(mappings, rules) := found if found := rule.report with input as {"resource": {
	"apiVersion": "apiserver.config.k8s.io/v1", "kind": "AuthenticationConfiguration",
	"jwt": [{"issuer": {"url": "https://a"}, "claimMappings": mappings, "userValidationRules": rules}],
}}

test_flags if {
	count(kubeadm({"oidc-groups-claim": "groups"})) == 1
	count(kubeadm({"oidc-groups-claim": "groups", "oidc-groups-prefix": "login:"})) == 0
	count(kubeadm({"oidc-username-claim": "sub", "oidc-username-prefix": "-"})) == 1
	count(kubeadm({"oidc-username-claim": "email", "oidc-username-prefix": "-"})) == 0
	count(kubeadm({"oidc-username-claim": "sub"})) == 0
	count(kubeadm({"oidc-issuer-url": "https://a", "authentication-config": "/a"})) == 1
}

test_mappings if {
	count(mapped({"username": {"claim": "sub", "prefix": ""}}, [])) == 1
	count(mapped({"username": {"claim": "email", "prefix": ""}}, [])) == 0
	count(mapped({"username": {"claim": "sub", "prefix": "a:"}, "groups": {"claim": "groups", "prefix": "a:"}}, [])) == 0
	count(mapped({"username": {"expression": "'a:' + claims.sub"}, "groups": {"expression": "claims.groups"}}, [])) == 1
	count(mapped({"username": {"claim": "sub", "prefix": ""}}, [{"expression": "!user.username.startsWith('system:')"}])) == 0
	count(mapped({"groups": {"claim": "groups", "prefix": ""}}, [{"expression": "!user.username.startsWith('system:')"}])) == 1
}

test_openshift if {
	resource := {
		"apiVersion": "config.openshift.io/v1", "kind": "Authentication", "metadata": {"name": "cluster"},
		"spec": {"oidcProviders": [
			{"claimMappings": {"username": {"claim": "sub", "prefixPolicy": "NoPrefix"}, "groups": {"claim": "groups"}}},
			{"claimMappings": {"username": {"claim": "sub"}, "groups": {"claim": "groups", "prefix": "a:"}}},
		]},
	}
	found := rule.report with input as {"resource": resource}
	count(found) == 2
}

test_hypershift if {
	some kind in ["HostedCluster", "HostedControlPlane"]
	providers := [
		{"claimMappings": {"username": {"claim": "sub", "prefixPolicy": "NoPrefix"}, "groups": {"claim": "groups", "prefix": ""}}},
		{"claimMappings": {"username": {"claim": "sub"}, "groups": {"claim": "groups", "prefix": "a:"}}},
		{
			"claimMappings": {"username": {"claim": "sub", "prefixPolicy": "NoPrefix"}},
			"userValidationRules": [{"expression": "!user.username.startsWith('system:')"}],
		},
	]
	found := rule.report with input as {"resource": {
		"apiVersion": "hypershift.openshift.io/v1beta1", "kind": kind, "metadata": {"name": "orchard"},
		"spec": {"configuration": {"authentication": {"type": "OIDC", "oidcProviders": providers}}},
	}}
	count(found) == 2
}
