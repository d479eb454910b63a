# METADATA
# title: The keys for signing and verifying tokens may not correspond
# description: |
#   kube-apiserver signs tokens of accounts with the private key of `--service-account-signing-key-file`, and
#   kube-controller-manager signs those in Secrets with that of `--service-account-private-key-file`. kube-apiserver accepts only
#   tokens for whose private key a file of `--service-account-key-file` has the public key: it rejects all others, and
#   `kubectl` and pods get `Unauthorized`.
#
#   Only the names of the files are known. This rule reports a private key if no verifying key has its name, apart from endings
#   and words such as `key`, `pub`, `private`, and `signing`: `sa.key` and `sa.pub` correspond, `sa-2026.key` and `sa.pub` may not. It compares
#   the flags of one Pod, the two Pods of one deployment unit, and the arguments of one ClusterConfiguration, where the
#   default of kubeadm is `sa`. A verifying key that is a folder, or that a template makes, is not compared.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/
#     description: Keys and controllers of service accounts
# custom:
#   severity: note
#   kinds: [Pod, control_planes]
#   reads: [Pod]
#   words: [service-account-signing-key-file, service-account-private-key-file, service-account-key-file]
#   skip_unless: [word-found]
#   fix: none
package salint.rules.token.keys_differ

import data.salint.helpers
import data.salint.helpers.controlplane as plane
import data.salint.helpers.token.signing_flags as flag
import data.salint.lib

report contains finding if {
	some key in private_keys
	stems := {stem(file) | some file in verifying}
	count(stems) > 0
	every file in verifying { comparable(file) }
	comparable(key.value)
	not stem(key.value) in stems
	finding := lib.case(
		lib.finding(key.path, sprintf("%s signs tokens with %s (--%s), and kube-apiserver verifies them with %s. It rejects them unless the keys correspond. Add the public key to --%s.", [
			helpers.sentence(helpers.titled(input.resource.kind, "", helpers.name(input.resource))), key.value, key.name, concat(", ", verifying), flag.verifying,
		])),
		key.name,
	)
}

private_keys := array.concat(
	[argument | some run in servers; some argument in plane.named(run, flag.signing)],
	[argument | some run in managers; some argument in plane.named(run, flag.private)],
)

servers := plane.started(input.resource, "kube-apiserver")

managers := plane.started(input.resource, "kube-controller-manager")

# verifying lists the files with which the server verifies: those of the object, or of the server of the same unit.
verifying := files if {
	files := files_of(servers)
	count(files) > 0
} else := files if {
	input.resource.kind == "Pod"
	count(managers) > 0
	others := [run |
		some pod in salint.lookup({"group": "", "kind": "Pod", "namespace": object.get(input.resource.metadata, "namespace", "")})
		some run in plane.started(pod.resource, "kube-apiserver")
	]
	files := files_of(others)
} else := ["/etc/kubernetes/pki/sa.pub"] if {
	input.resource.kind in {
		"ClusterConfiguration", "KubeadmConfig", "KubeadmConfigTemplate", "KubeadmControlPlane", "KubeadmControlPlaneTemplate",
	}
} else := []

files_of(runs) := sort({argument.value | some run in runs; some argument in plane.named(run, flag.verifying); argument.value != ""})

comparable(file) if {
	not helpers.templated(file)
	regex.match(`\.[A-Za-z]+$`, file)
}

# stem is the name of a file without endings and words that tell a private key from a public one.
stem(file) := name if {
	base := lower(plane.last_step(file))
	without := regex.replace(base, `\.[a-z]+$`, "")
	name := regex.replace(without, `(^|[-_.])(signing|signer|private|public|priv|pub|key|keys|cert|crt|pem)\b`, "")
}
