package salint.rules.token.keys_differ_test

import data.salint.rules.token.keys_differ as rule

report(flags) := found if found := rule.report with input as {"resource": {
	"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "plane", "namespace": "kube-system"},
	"spec": {"containers": [{
		"name": "main", "image": "registry.k8s.io/kube-apiserver:v1.34.0",
		"command": array.concat(["kube-apiserver"], flags),
	}]},
}}

pair(signing, verifying) := report([
	sprintf("--service-account-signing-key-file=%s", [signing]), sprintf("--service-account-key-file=%s", [verifying]),
])

test_names_that_correspond if {
	every names in [
		["/a/sa.key", "/a/sa.pub"], ["/a/service-account-key.pem", "/a/service-account.pem"], ["/a/private.pem", "/b/public.pem"],
		["/a/sa-signing.key", "/a/sa.pub"], ["/a/sa.key", "/a/keys"], ["/a/sa.key", "${KEY}.pub"],
	] {
		count(pair(names[0], names[1])) == 0
	}
}

test_names_that_differ if {
	count(pair("/a/sa-2026.key", "/a/sa.pub")) == 1
	count(pair("/a/orchard.key", "/a/meadow.pub")) == 1
}

test_one_of_several_verifies if {
	count(report([
		"--service-account-signing-key-file=/a/new.key", "--service-account-key-file=/a/old.pub", "--service-account-key-file=/a/new.pub",
	])) == 0
}
