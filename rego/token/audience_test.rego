package salint.rules.token.audience_test

import data.salint.rules.token.audience as rule

pod(token, mount) := {
	"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"},
	"spec": {
		"containers": [{"name": "web", "volumeMounts": [object.union({"name": "t"}, mount)]}],
		"volumes": [{"name": "t", "projected": {"sources": [{"serviceAccountToken": object.union({"path": "token"}, token)}]}}],
	},
}

report(token, mount, others) := found if {
	found := rule.report with input as {"resource": pod(token, mount)}
		with salint.anywhere as others
}

at := {"mountPath": "/var/run/secrets/kubernetes.io/serviceaccount"}

test_other_audience if {
	some finding in report({"audience": "vault"}, at, [])
	finding.path == ["spec", "volumes", 0, "projected", "sources", 0, "serviceAccountToken", "audience"]
	contains(finding.message, "which rejects it, and no ca.crt. Use another mountPath")
	not finding.severity
}

test_url if {
	some finding in report({"audience": "https://vault.example.com"}, at, [])
	finding.severity == "note"
}

test_accepted if {
	count(report({}, at, [])) == 0
	count(report({"audience": "https://kubernetes.default.svc"}, at, [])) == 0
	count(report({"audience": "k3s"}, at, [])) == 0
	count(report({"audience": "vault"}, {"mountPath": "/var/run/secrets/vault"}, [])) == 0
	count(report({"audience": "vault"}, object.union(at, {"subPath": "x"}), [])) == 0
}

test_listed_by_the_api_server if {
	server := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "kube-apiserver"}, "spec": {"containers": [{
		"name": "kube-apiserver", "image": "registry.k8s.io/kube-apiserver:v1.34.0", "command": ["kube-apiserver", "--api-audiences=api,vault"],
	}]}}
	count(report({"audience": "vault"}, at, [{"ref": "a.yaml#0/", "resource": server}])) == 0
}

test_other_file_name if {
	some finding in report({"audience": "vault", "path": "vault"}, at, [])
	finding.path == ["spec", "volumes", 0, "projected", "sources", 0, "serviceAccountToken", "path"]
	contains(finding.message, "has no file token where clients look for it, only vault. Set path to token")
	count(report({"path": "vault"}, {"mountPath": "/var/run/secrets/vault"}, [])) == 0
}
