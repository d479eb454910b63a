# METADATA
# title: The name of a pull Secret, or of a Secret of an account, is misspelled or is that of another namespace
# description: |
#   The kubelet ignores a pull Secret that does not exist, except for an event, and pulls the image without it: a private
#   image cannot be pulled. `secrets` of an account has an effect only with the annotation
#   `kubernetes.io/enforce-mountable-secrets`: its pods can then mount only the Secrets in the list, so a wrong name
#   locks them out of the right Secret.
#
#   Volumes and environment variables with Secrets are not checked: a pod whose Secret is missing does not start, which is
#   noticed at once, and most of these Secrets are created outside of the repository.
#
#   Secrets with credentials are often not in Git, so a Secret without a manifest is not reported. A missing Secret is
#   reported only for one of two causes:
#
#   * The deployment unit creates a Secret in the same namespace whose name differs by one letter or dash, which was
#     forgotten, added, confused, or swapped. Another digit, and another letter in a short part of the name, can be on
#     purpose.
#   * The deployment unit creates a Secret of this name in another namespace only. A pod uses only Secrets of its namespace.
#     Secrets whose annotations or labels request copies, as for Reflector, are not counted. A program can copy it without
#     such a request, so this is a note.
#
#   For a pull Secret, the created Secret must have a type for pulling images. A Secret is created by its manifest, also
#   from a generator of kustomize, or by an object such as a SealedSecret, an ExternalSecret, a Certificate, or one of
#   the operators of Vault, 1Password, Infisical, Doppler, and Bitwarden.
#
#   Nothing is reported if the Secret may come from elsewhere: another object of the repository creates it, an object
#   does not show which Secrets it creates (ClusterExternalSecret, SopsSecret, policies of Kyverno), an operator or a
#   chart is installed into the namespace, or the unit has remote sources or could not be read as a whole. Among plain
#   files, the folder of one file must contain the other. Static pods, placeholders, and namespaces called `kube-…`
#   and `openshift-…` are not checked.
# related_resources:
#   - ref: https://kubernetes.io/docs/tasks/configure-pod-container/pull-image-private-registry/
#     description: Pull Secrets
#   - ref: https://kubernetes.io/docs/reference/labels-annotations-taints/#enforce-mountable-secrets
#     description: The annotation enforce-mountable-secrets
# custom:
#   severity: warning
#   kinds: [workloads, ServiceAccount]
#   words: [imagePullSecrets, enforce-mountable-secrets]
#   reads: [secret_creators, opaque_installers]
#   fix: none
package salint.rules.pod.secret_not_found

import data.salint.helpers
import data.salint.helpers.pods
import data.salint.helpers.secrets
import data.salint.lib

report contains finding if {
	some use in uses
	cause := secrets.wrong(use, helpers.namespace(input.resource), salint.ref(input.resource))
	found := lib.case(
		lib.finding(use.path, sprintf("%s names Secret %s, which %s. %s", [
			called, use.name, cause.why, use.effect,
		])),
		cause.case,
	)
	finding := graded(lib.related(found, cause.source.ref, cause.source.path, "the Secret is created here"), cause)
}

# A program can copy a Secret into another namespace, which the repository does not necessarily show.
graded(finding, cause) := lib.with_severity(finding, "note") if {
	cause.case == "another namespace"
} else := finding

uses := [use |
	some pod in salint.pods(input.resource)
	not pod.static
	some i, secret in pod.spec.imagePullSecrets
	path := array.concat(pod.path, ["imagePullSecrets", i, "name"])
	use := {"path": path, "name": secret.name, "names": names(pod.spec.imagePullSecrets), "pulls": true, "effect": pulled}
] if {
	input.resource.kind != "ServiceAccount"
} else := [use |
	some field, effect in {"imagePullSecrets": pulled, "secrets": mounted}
	counts(field)
	some i, secret in input.resource[field]
	use := {
		"path": [field, i, "name"], "name": secret.name, "names": names(input.resource[field]),
		"pulls": field == "imagePullSecrets", "effect": effect,
	}
]

names(list) := {secret.name | some secret in list}

counts("imagePullSecrets")

counts("secrets") if {
	lower(input.resource.metadata.annotations["kubernetes.io/enforce-mountable-secrets"]) == "true"
}

pulled := "Images are pulled without a missing Secret. Correct the name, or create the Secret in the namespace."

mounted := "Its pods can mount only Secrets in this list. Correct the name, or create the Secret in the namespace."

called := helpers.called(input.resource) if {
	input.resource.kind == "ServiceAccount"
} else := pods.called(input.resource)
