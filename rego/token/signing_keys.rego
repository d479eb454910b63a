# METADATA
# title: The control plane lacks a flag for the keys of tokens
# description: |
#   * kube-apiserver does not start without `--service-account-issuer`, and either
#     `--service-account-signing-key-file`, with which it signs tokens, or `--service-account-signing-endpoint`. With
#     a signing key it needs `--service-account-key-file` as well, the public keys that tokens are checked against:
#     without it, it checks them against its own TLS key, and its own tokens are refused. The endpoint takes the place
#     of both files, and with one of them it is refused.
#   * kube-controller-manager needs `--service-account-private-key-file`: without it, no Secret of the type
#     `kubernetes.io/service-account-token` gets its token.
#
#   Judged are containers that start one of the two programs by name and spell their flags out. Where flags come from
#   a shell, a variable or a configuration file, and in images older than Kubernetes 1.20, nothing is said; nor of
#   other API servers: aggregated ones, k3s, virtual clusters. kubeadm writes all these flags by itself: of its
#   ClusterConfiguration (a mapping of `extraArgs` up to v1beta3, a list from v1beta4), and of the same in Cluster API's
#   objects, only what takes one of them away, or contradicts them, is reported. OpenShift puts the configuration of
#   its control plane together out of several parts, so there, too, a missing flag is nothing: only an empty one, and
#   one that excludes another, are reported.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/
#     description: Keys and controllers of service accounts
#   - ref: https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/
#     description: The flags of kube-apiserver
# custom:
#   severity: warning
#   kinds:
#     - workloads
#     - ClusterConfiguration.kubeadm.k8s.io
#     - KubeadmConfig.bootstrap.cluster.x-k8s.io
#     - KubeadmConfigTemplate.bootstrap.cluster.x-k8s.io
#     - KubeadmControlPlane.controlplane.cluster.x-k8s.io
#     - KubeadmControlPlaneTemplate.controlplane.cluster.x-k8s.io
#     - KubeAPIServerConfig.kubecontrolplane.config.openshift.io
#     - KubeControllerManagerConfig.kubecontrolplane.config.openshift.io
#     - KubeAPIServer.operator.openshift.io
#     - KubeControllerManager.operator.openshift.io
#   words: [kube-apiserver, kube-controller-manager, service-account-, serviceAccountPublicKeyFiles]
#   fix: none
package salint.rules.token.signing_keys

import data.salint.lib
import data.salint.lib.controlplane as plane
import data.salint.lib.token.signing_flags as flag

# Containers that start one of the programs.

report contains finding if {
	some started in plane.containers(input.resource, "kube-apiserver")
	some problem in flag.server_problems(started.flags)
	finding := lib.finding(started.path, sprintf("%s starts kube-apiserver %s", [lib.sentence(lib.called(input.resource)), problem]))
}

report contains finding if {
	some started in plane.containers(input.resource, "kube-controller-manager")
	not flag.given(started.flags, flag.private)
	not plane.switched_off(started.flags, {"serviceaccount-token", "serviceaccount-token-controller"})
	finding := lib.finding(started.path, sprintf(
		"%s starts kube-controller-manager without --%s: token Secrets get no token.",
		[lib.sentence(lib.called(input.resource)), flag.private],
	))
}

# kubeadm, which has a value of its own for each of these flags.

report contains finding if {
	some part, names in {"apiServer": [flag.issuer, flag.signing, flag.verifying], "controllerManager": [flag.private]}
	some argument in plane.extra_args(input.resource, part)
	argument.name in names
	argument.value == ""
	finding := lib.finding(argument.path, sprintf(
		"%s is set to nothing here, in place of the value that kubeadm gives it: the control plane has no key or issuer for tokens.",
		[argument.name],
	))
}

report contains finding if {
	some argument in plane.extra_args(input.resource, "apiServer")
	argument.name == flag.endpoint
	argument.value != ""
	finding := lib.finding(argument.path, sprintf(
		concat(" ", [
			"kubeadm starts kube-apiserver with --%s and --%s, which %s excludes: it does not start.",
			"Patch the two flags out of the manifest (kubeadm's --patches).",
		]),
		[flag.signing, flag.verifying, flag.endpoint],
	))
}

# OpenShift's layers of configuration.

report contains finding if {
	some layer in plane.layers(input.resource)
	some name in [flag.issuer, flag.signing, flag.verifying, flag.private]
	values := layer.arguments[name]
	not flag.given(layer.arguments, name)
	is_array(values)
	finding := lib.finding(array.concat(layer.path, [name]), sprintf(
		"%s is set to nothing here: the control plane has no key or issuer for tokens where this layer of its configuration wins.",
		[name],
	))
}

report contains finding if {
	some layer in plane.layers(input.resource)
	excludes := flag.excluded(layer.arguments)
	excludes != ""
	finding := lib.finding(array.concat(layer.path, [flag.endpoint]), sprintf("This starts kube-apiserver %s", [excludes]))
}

report contains finding if {
	input.resource.kind == "KubeAPIServerConfig"
	input.resource.serviceAccountPublicKeyFiles == []
	not flag.given(object.get(input.resource, "apiServerArguments", {}), flag.verifying)
	finding := lib.finding(
		["serviceAccountPublicKeyFiles"],
		"serviceAccountPublicKeyFiles is empty: kube-apiserver has no key to check the tokens of accounts against, and takes none.",
	)
}
