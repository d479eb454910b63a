package salint.rules.token.feature_gate_retired_test

import data.salint.rules.token.feature_gate_retired as rule

report(resource) := found if found := rule.report with input as {"resource": resource}

started(program, image, flags) := report({
	"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "plane"},
	"spec": {"containers": [{"name": "main", "image": image, "command": array.concat([program], flags)}]},
})

server(version, gates) := started(
	"kube-apiserver", sprintf("registry.k8s.io/kube-apiserver:%s", [version]),
	[sprintf("--feature-gates=%s", [gates])],
)

says(found, text) if {
	some finding in found
	contains(finding.message, text)
}

test_removed if {
	says(server("v1.29.0", "LegacyServiceAccountTokenNoAutoGeneration=true"), concat(" ", [
		"Pod plane sets the feature gate LegacyServiceAccountTokenNoAutoGeneration of kube-apiserver,",
		"which Kubernetes 1.29 no longer has (removed in 1.29). The program does not start. Remove it.",
	]))
	count(server("v1.28.9", "LegacyServiceAccountTokenNoAutoGeneration=true")) == 0
	count(server("v1.34.0-rc.1", "A=true,RootCAConfigMap=true,TokenRequest=true")) == 2
	says(server("1.35", "CSIServiceAccountToken=false"), "no longer has (removed in 1.25)")
}

test_locked if {
	says(server("v1.28.9", "LegacyServiceAccountTokenNoAutoGeneration=false"), "to false, but Kubernetes 1.28 locks it to true (since 1.27)")
	count(server("v1.26.0", "LegacyServiceAccountTokenNoAutoGeneration=false")) == 0
	count(server("v1.36.0", "kube:ServiceAccountTokenNodeBinding=False")) == 1
	count(server("v1.36.0", "kube:ServiceAccountTokenNodeBinding=true")) == 0
}

test_not_added if says(server("v1.28.0", "ServiceAccountTokenJTI=true"), "does not have yet (added in 1.29)")

test_unknown_releases if {
	some finding in server("latest", "LegacyServiceAccountTokenCleanUp=true")
	finding.severity == "note"
	contains(finding.message, ", which Kubernetes no longer has from 1.32 on. There, the program does not start.")
	says(server("latest", "LegacyServiceAccountTokenCleanUp=false"), "to false, but Kubernetes locks it to true from 1.30 on.")
	count(server("latest", "ServiceAccountTokenJTI=true")) == 0
	count(started("kube-apiserver", "example.com/plane:1.34", ["--feature-gates", "TokenRequest=true"])) == 1
}

twice(tag, first, second) := started(
	"kube-apiserver", sprintf("registry.k8s.io/kube-apiserver:%s", [tag]),
	[sprintf("--feature-gates=%s", [first]), sprintf("--feature-gates=%s", [second])],
)

# The last entry counts. Before 1.31 each flag is checked when it is read.
test_a_gate_several_times if {
	off := "ServiceAccountTokenJTI=false"
	on := "kube:ServiceAccountTokenJTI=true"
	every case in [
		{"tag": "v1.34.0", "first": off, "second": on, "count": 0},
		{"tag": "v1.34.0", "first": on, "second": off, "count": 1},
		{"tag": "latest", "first": off, "second": on, "count": 0},
		{"tag": "v1.34.0", "first": sprintf("%s,%s", [off, on]), "second": "A=true", "count": 0},
		{"tag": "v1.34.0", "first": sprintf("%s,%s", [on, off]), "second": "A=true", "count": 1},
	] {
		count(twice(case.tag, case.first, case.second)) == case.count
	}
	count(twice("v1.28.0", "TokenRequest=true", "TokenRequest=false")) == 2
	count(twice("v1.28.0", "LegacyServiceAccountTokenNoAutoGeneration=false", "LegacyServiceAccountTokenNoAutoGeneration=true")) == 1
}

test_unclear_values if {
	every gates in ["$(GATES)", "TokenRequest", "TokenRequest=", "Other=true", ""] { count(server("v1.20.0", gates)) == 0 }
	image := "registry.k8s.io/kube-apiserver:v1.34.0"
	count(started("kube-apiserver", image, ["--feature-gates=ServiceAccountTokenJTI=false", "--emulated-version=1.31"])) == 0
}

test_programs if {
	every program in ["kube-controller-manager", "kube-scheduler"] {
		found := started(program, sprintf("registry.k8s.io/%s:v1.34.0", [program]), ["--feature-gates=TokenRequest=true"])
		says(found, sprintf("of %s,", [program]))
	}
	count(started("kube-proxy", "registry.k8s.io/kube-proxy:v1.34.0", ["--feature-gates=TokenRequest=true"])) == 0
}

test_images if {
	every image in [
		"gcr.io/google-containers/hyperkube:v1.21.3", "docker.io/rancher/hardened-kubernetes:v1.21.5-rke2r1-build20210916",
		"registry.k8s.io/kube-apiserver-amd64:v1.21.1@sha256:00", "localhost:5000/kube-apiserver:v1.21.0",
	] {
		says(started("kube-apiserver", image, ["--feature-gates=TokenRequest=true"]), "Kubernetes 1.21 no longer has")
	}
}

kubeadm(version) := report({
	"apiVersion": "kubeadm.k8s.io/v1beta4", "kind": "ClusterConfiguration", "kubernetesVersion": version,
	"featureGates": {"TokenRequest": true},
	"scheduler": {"extraArgs": [{"name": "feature-gates", "value": "LegacyServiceAccountTokenTracking=true"}]},
})

test_kubeadm if {
	some finding in kubeadm("v1.30.2")
	finding.path == ["scheduler", "extraArgs", 0, "value"]
	finding.severity == "warning"
	count(kubeadm("v1.30.2")) == 1
	count(kubeadm("stable-1.29")) == 0
	some unclear in kubeadm("stable")
	unclear.severity == "note"
}

test_cluster_api if {
	some finding in report({
		"apiVersion": "controlplane.cluster.x-k8s.io/v1beta1", "kind": "KubeadmControlPlane",
		"spec": {
			"version": "v1.23.1",
			"kubeadmConfigSpec": {"clusterConfiguration": {"apiServer": {"extraArgs": {"feature-gates": "BoundServiceAccountTokenVolume=true"}}}},
		},
	})
	contains(finding.message, "Kubernetes 1.23 no longer has")
}

test_openshift if {
	some finding in report({
		"apiVersion": "operator.openshift.io/v1", "kind": "KubeAPIServer", "metadata": {"name": "cluster"},
		"spec": {"unsupportedConfigOverrides": {"apiServerArguments": {"feature-gates": ["TokenRequest=true"]}}},
	})
	finding.severity == "note"
}
