package salint.rules.token.lookup_disabled_test

import data.salint.rules.token.lookup_disabled as rule

server(flags) := found if found := rule.report with input as {"resource": {
	"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "plane", "namespace": "kube-system"},
	"spec": {"containers": [{"name": "main", "image": "registry.k8s.io/kube-apiserver:v1.34.0", "command": array.concat(["kube-apiserver"], flags)}]},
}}

test_the_flag if {
	some finding in server(["--etcd-servers=a", "--service-account-lookup=false"])
	finding.path == ["spec", "containers", 0, "command", 2]
	startswith(finding.message, "Pod plane sets --service-account-lookup=false of kube-apiserver.")
	count(server(["--service_account_lookup=F"])) == 1
}

test_other_values if {
	every flags in [[], ["--service-account-lookup"], ["--service-account-lookup=true"], ["--service-account-lookup=$(LOOKUP)"]] {
		count(server(flags)) == 0
	}
}

test_the_last_flag_counts if {
	count(server(["--service-account-lookup=false", "--service-account-lookup=true"])) == 0
	count(server(["--service-account-lookup=true", "--service-account-lookup=false"])) == 1
}

test_kubeadm if {
	some finding in rule.report with input as {"resource": {
		"apiVersion": "kubeadm.k8s.io/v1beta3", "kind": "ClusterConfiguration",
		"apiServer": {"extraArgs": {"service-account-lookup": "false"}},
	}}
	finding.path == ["apiServer", "extraArgs", "service-account-lookup"]
}
