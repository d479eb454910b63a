# METADATA
# title: The control plane has missing or conflicting flags for token keys
# description: |
#   * kube-apiserver does not start without `--service-account-issuer`, and either `--service-account-signing-key-file`,
#     the key that it signs tokens with, or `--service-account-signing-endpoint`. With a signing key it also needs
#     `--service-account-key-file`, the public keys that it verifies tokens with. Without this flag it verifies them
#     with its own TLS key, and rejects its own tokens. The endpoint replaces both files, and kube-apiserver does not
#     start with the endpoint and one of them.
#   * kube-controller-manager needs `--service-account-private-key-file`. Without this flag, no Secret of type
#     `kubernetes.io/service-account-token` gets its token.
#
#   kube-apiserver does not start either with `--service-account-max-token-expiration` below 1h or above 2^32 seconds, with
#   `--service-account-jwks-uri` without the scheme https, or with an issuer that is not valid or is set twice.
#
#   This rule checks containers that start one of the two programs by name and with explicit flags. It does not check
#   flags that come from a shell, a variable, or a configuration file, images older than Kubernetes 1.20, or other API
#   servers: aggregated ones and virtual clusters. Of other installers, such as kind, k3s, and Talos, only values are checked, as these set the flags. kubeadm sets all these flags by default. For its
#   ClusterConfiguration (a mapping of `extraArgs` up to v1beta3, a list from v1beta4), and for the same fields in
#   objects of Cluster API, only arguments that remove or contradict one of the flags are reported. OpenShift assembles
#   the configuration of its control plane from several parts, so a missing flag is not reported there either: only an
#   empty one, and one that excludes another.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/
#     description: Keys and controllers of service accounts
#   - ref: https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/
#     description: Flags of kube-apiserver
# custom:
#   severity: warning
#   kinds: [workloads, control_planes]
#   words: [kube-apiserver, kube-controller-manager, service-account-, authorization-mode, serviceAccountPublicKeyFiles, serviceAccountIssuer, serviceAccountJWKSURI, serviceAccountKeyFile, serviceAccountPrivateKeyFile, serviceAccountSigningKeyFile]
#   fix: none
package salint.rules.token.signing_keys

import data.salint.helpers
import data.salint.helpers.controlplane as plane
import data.salint.helpers.token.signing_flags as flag
import data.salint.helpers.token.signing_values as values
import data.salint.lib

# Values with which the server does not start, however it is started.

report contains finding if {
	some run in plane.started(input.resource, "kube-apiserver")
	some problem in values.problems(run)
	finding := lib.case(
		lib.finding(problem.argument.path, sprintf("%s %s. kube-apiserver does not start. Correct the value.", [object_called, problem.text])),
		["value", problem.argument.name],
	)
}

# Containers that start one of the programs.

report contains finding if {
	some started in plane.containers(input.resource, "kube-apiserver")
	some name, problem in flag.server_problems(started.flags)
	message := sprintf("%s starts kube-apiserver %s", [helpers.sentence(helpers.called(input.resource)), problem])
	finding := lib.case(lib.finding(started.path, message), name)
}

report contains finding if {
	some started in plane.containers(input.resource, "kube-controller-manager")
	not flag.given(started.flags, flag.private)
	not plane.switched_off(started.flags, {"serviceaccount-token", "serviceaccount-token-controller"})
	finding := lib.case(
		lib.finding(started.path, sprintf(
			"%s starts kube-controller-manager without --%s. It writes no tokens into Secrets of accounts. Set the flag.",
			[helpers.sentence(helpers.called(input.resource)), flag.private],
		)),
		"controller-manager",
	)
}

# kubeadm, which has a default for each of these flags.

report contains finding if {
	some program, names in {"kube-apiserver": [flag.issuer, flag.signing, flag.verifying], "kube-controller-manager": [flag.private]}
	some argument in plane.kubeadm_arguments(input.resource, program)
	argument.name in names
	argument.value == ""
	finding := lib.case(
		lib.finding(argument.path, sprintf(
			"%s sets %s to an empty value, which overrides the default of kubeadm. %s. %s",
			[object_called, argument.name, flag.keyless, flag.set_value],
		)),
		["empty", argument.name],
	)
}

report contains finding if {
	some argument in plane.kubeadm_arguments(input.resource, "kube-apiserver")
	argument.name == flag.endpoint
	argument.value != ""
	finding := lib.case(
		lib.finding(argument.path, sprintf(
			concat(" ", [
				"%s sets %s, which excludes --%s and --%s. kubeadm sets both, so kube-apiserver does not start.",
				"Patch them out of the manifest of kube-apiserver (kubeadm's --patches).",
			]),
			[object_called, flag.endpoint, flag.signing, flag.verifying],
		)),
		"excluded",
	)
}

# OpenShift's layers of configuration.

report contains finding if {
	some layer in plane.layers(input.resource)
	some name in [flag.issuer, flag.signing, flag.verifying, flag.private]
	values := layer.arguments[name]
	not flag.given(layer.arguments, name)
	is_array(values)
	finding := lib.case(
		lib.finding(array.concat(layer.path, [name]), sprintf(
			"%s sets %s to an empty value. %s if this layer of its configuration takes precedence. %s",
			[object_called, name, flag.keyless, flag.set_value],
		)),
		"empty",
	)
}

report contains finding if {
	some layer in plane.layers(input.resource)
	excludes := flag.excluded(layer.arguments)
	excludes != ""
	message := sprintf("%s starts kube-apiserver %s", [object_called, excludes])
	finding := lib.case(lib.finding(array.concat(layer.path, [flag.endpoint]), message), "excluded")
}

report contains finding if {
	input.resource.kind == "KubeAPIServerConfig"
	input.resource.serviceAccountPublicKeyFiles == []
	not flag.given(object.get(input.resource, "apiServerArguments", {}), flag.verifying)
	finding := lib.finding(["serviceAccountPublicKeyFiles"], sprintf("%s %s", [object_called, flag.unlisted]))
}

# object_called names the object without its namespace: these messages are the same in all overlays.
object_called := helpers.sentence(helpers.titled(input.resource.kind, "", helpers.name(input.resource)))
