package salint.rules.pod.pull_secret_unusable_test

import data.salint.rules.pod.pull_secret_unusable as rule

pod := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"}, "spec": {"containers": []}}

source(type) := {
	"ref": "a.yaml#0/", "path": ["metadata", "name"], "namespace": "shop", "name": "registry",
	"type": type, "copied": false,
}

report(sources, pulls) := found if {
	found := rule.report with input as {"resource": pod, "unit": {"transforms": [], "remotes": []}}
		with salint.secret_references as [{"name": "registry", "path": ["spec", "imagePullSecrets", 0, "name"], "mount": false, "pulls": pulls}]
		with salint.secrets_like as sources
		with salint.find as [{"ref": "a.yaml#0/", "resource": {"data": {".dockerconfigjson": "e30=", ".dockercfg": "e30="}}}]
}

test_wrong_type if {
	some finding in report([source("kubernetes.io/basic-auth")], true)
	contains(finding.message, "Pod shop/web pulls images with Secret registry, whose type is kubernetes.io/basic-auth, so the kubelet ignores it.")
	some other in report([source("")], true)
	contains(other.message, "whose type is Opaque, the default")
}

test_right if {
	count(report([source("kubernetes.io/dockerconfigjson")], true)) == 0
	count(report([source("kubernetes.io/dockercfg")], true)) == 0
	count(report([source("Opaque"), source("kubernetes.io/dockerconfigjson")], true)) == 0
	count(report([source("Opaque")], false)) == 0
	count(report([object.union(source("Opaque"), {"namespace": "other"})], true)) == 0
}

test_without_key if {
	some finding in rule.report with input as {"resource": pod, "unit": {"transforms": [], "remotes": []}}
		with salint.secret_references as [{"name": "registry", "path": ["spec", "imagePullSecrets", 0, "name"], "mount": false, "pulls": true}]
		with salint.secrets_like as [source("kubernetes.io/dockerconfigjson")]
		with salint.find as [{"ref": "a.yaml#0/", "resource": {"data": {"config.json": "e30="}}}]
	contains(finding.message, "its type kubernetes.io/dockerconfigjson needs the key .dockerconfigjson. Add the key.")
}
