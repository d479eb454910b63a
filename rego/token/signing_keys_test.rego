package salint.rules.token.signing_keys_test

import data.salint.rules.token.signing_keys as rule

report(resource) := found if found := rule.report with input as {"resource": resource}

started(words, image) := report({
	"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "plane", "namespace": "kube-system"},
	"spec": {"containers": [{"name": "main", "image": image, "command": words}]},
})

current := "registry.k8s.io/kube-apiserver:v1.34.0"

keys := ["--service-account-key-file=a.pub", "--service-account-signing-key-file=a.key"]

issuer := ["--service-account-issuer=https://a"]

server(flags) := started(array.concat(["kube-apiserver"], flags), current)

test_flags_of_the_server if {
	count(server(["--etcd-servers=a"])) == 2
	count(server(array.concat(keys, issuer))) == 0
	count(server(["--service-account-issuer", "a", "--service-account-signing-endpoint", "b"])) == 0
	count(server(array.concat(["--service-account-signing-key-file=a.key"], issuer))) == 1
	count(server(array.concat(array.concat(keys, issuer), ["--service-account-signing-endpoint=b"]))) == 1
	count(server(array.concat(keys, ["--service-account-issuer="]))) == 1
}

test_forms_of_the_command if {
	count(started(["/usr/local/bin/kube-apiserver"], current)) == 2
	count(started(["hyperkube", "kube-apiserver"], current)) == 2
	count(started(["/go-runner", "--log-file=a", "/usr/local/bin/kube-apiserver", "--etcd-servers=a"], current)) == 2
	count(argued(["kube-apiserver", "--etcd-servers=a"], current)) == 2
}

argued(words, image) := report({
	"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "plane", "namespace": "kube-system"},
	"spec": {"containers": [{"name": "main", "image": image, "args": words}]},
})

test_forms_of_flags if {
	count(server(["--service_account_issuer=a", "--service_account_signing_key_file=a", "--service_account_key_file=b"])) == 0
	count(server(["--service-account-issuer=$(ISSUER)"])) == 1
	count(server(array.concat(keys, ["--service-account-issuer=${ISSUER}"]))) == 0
	count(server(array.concat(keys, [`--service-account-issuer="https://a"`]))) == 0
	count(server(array.concat(keys, ["--service-account-issuer", "https://a"]))) == 0
	count(server(array.concat(keys, ["--service-account-issuer", "--etcd-servers=a"]))) == 1
}

test_other_programs if {
	every words in [
		["kube-bench", "--check", "kube-apiserver"], ["k3s", "server", "--kube-apiserver-arg=a"], ["kine", "--listen=kube-apiserver"],
		["karmada-apiserver"], ["sample-apiserver", "--etcd-servers=a"], ["/go-runner", "kube-proxy", "kube-apiserver"],
	] {
		count(started(words, current)) == 0
	}
	count(argued(["--backend", "kube-apiserver"], "docker.io/library/haproxy:3")) == 0
	count(argued(["kube-apiserver"], "registry.example.com/bench:1")) == 0
	count(started(["kube-apiserver", "--version"], current)) == 0
	count(started(["kube-controller-manager", "--help"], current)) == 0
}

test_unknown_flags if {
	every words in [
		["kube-apiserver", "$(FLAGS)"], ["sh", "-c", "exec kube-apiserver"], ["kube-apiserver", "--openshift-config=a"],
		["kube-scheduler"], [],
	] {
		count(started(words, current)) == 0
	}
	count(started(["kube-apiserver"], "registry.k8s.io/kube-apiserver:v1.19.16")) == 0
}

test_controllers if {
	some finding in started(["kube-controller-manager"], current)
	finding.path == ["spec", "containers", 0]
	count(started(["kube-controller-manager", "--service-account-private-key-file=a.key"], current)) == 0
	count(started(["kube-controller-manager", "--controllers=*,-serviceaccount-token"], current)) == 0
}

kubeadm(fields) := report(object.union({"apiVersion": "kubeadm.k8s.io/v1beta4", "kind": "ClusterConfiguration"}, fields))

test_kubeadm if {
	count(kubeadm({"apiServer": {"extraArgs": {"authorization-mode": "RBAC", "service-account-issuer": "https://a"}}})) == 0
	some emptied in kubeadm({"controllerManager": {"extraArgs": {"service-account-private-key-file": ""}}})
	emptied.path == ["controllerManager", "extraArgs", "service-account-private-key-file"]
	some listed in kubeadm({"apiServer": {"extraArgs": [{"name": "a", "value": "b"}, {"name": "service-account-issuer", "value": ""}]}})
	listed.path == ["apiServer", "extraArgs", 1, "value"]
	count(kubeadm({"apiServer": {"extraArgs": [{"name": "service-account-signing-endpoint", "value": "b"}]}})) == 1
}

test_cluster_api if {
	emptied := {"controllerManager": {"extraArgs": [{"name": "service-account-private-key-file", "value": ""}]}}
	some finding in report({
		"apiVersion": "controlplane.cluster.x-k8s.io/v1beta2", "kind": "KubeadmControlPlane",
		"spec": {"kubeadmConfigSpec": {"clusterConfiguration": emptied}},
	})
	finding.path == ["spec", "kubeadmConfigSpec", "clusterConfiguration", "controllerManager", "extraArgs", 0, "value"]
	count(report({
		"apiVersion": "bootstrap.cluster.x-k8s.io/v1beta1", "kind": "KubeadmConfigTemplate",
		"spec": {"template": {"spec": {"clusterConfiguration": emptied}}},
	})) == 1
}

layer(fields) := report(object.union({"apiVersion": "kubecontrolplane.config.openshift.io/v1", "kind": "KubeAPIServerConfig"}, fields))

test_openshift if {
	count(layer({"apiServerArguments": {"service-account-issuer": ["a"]}})) == 0
	count(layer({"apiServerArguments": {"service-account-issuer": []}})) == 1
	count(layer({"serviceAccountPublicKeyFiles": []})) == 1
	count(layer({"serviceAccountPublicKeyFiles": [], "apiServerArguments": {"service-account-key-file": ["a"]}})) == 0
	operator := {
		"apiVersion": "operator.openshift.io/v1", "kind": "KubeAPIServer", "metadata": {"name": "cluster"},
		"spec": {"observedConfig": {"apiServerArguments": {"service-account-signing-endpoint": ["a"], "service-account-key-file": ["b"]}}},
	}
	some finding in report(operator)
	finding.path == ["spec", "observedConfig", "apiServerArguments", "service-account-signing-endpoint"]
}
