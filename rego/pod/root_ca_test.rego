package salint.rules.pod.root_ca_test

import data.salint.rules.pod.root_ca as rule

pod(source) := {
	"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"},
	"spec": {"containers": [], "volumes": [{"name": "t", "projected": {"sources": [{"configMap": source}]}}]},
}

report(resource, others) := found if {
	found := rule.report with input as {"resource": resource}
		with salint.ref as "a.yaml#0/"
		with salint.find as others
}

test_misspelled if {
	every name in ["kube-root-ca", "kube-rot-ca.crt", "kube-roto-ca.crt", "kube-root-ca.cert", "kube-root-ca-crt"] {
		some finding in report(pod({"name": name}), [])
		contains(finding.message, sprintf("names ConfigMap %s, which is not the one that Kubernetes creates", [name]))
	}
}

test_key if {
	some finding in report(pod({"name": "kube-root-ca.crt", "items": [{"key": "ca.pem", "path": "ca.crt"}]}), [])
	finding.path == ["spec", "volumes", 0, "projected", "sources", 0, "configMap", "items", 0, "key"]
}

test_right if {
	count(report(pod({"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}), [])) == 0
	count(report(pod({"name": "kube-router"}), [])) == 0
	count(report(pod({"name": "kube-root-ca", "optional": true}), [])) == 0
}
