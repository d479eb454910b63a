# METADATA
# title: A pod names a Secret that its account does not allow
# description: |
#   With the annotation `kubernetes.io/enforce-mountable-secrets: "true"` on the account, the API server rejects a pod that names a Secret which is not
#   in `secrets` of the account: as a volume, in `env`, or in `envFrom`. A pull Secret must be in `imagePullSecrets` of the account. Secrets in
#   projected volumes are not checked. The annotation is deprecated since Kubernetes 1.32, and still has this effect.
#
#   Nothing is reported if the account has no manifest, or several.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/service-accounts/#enforce-mountable-secrets
#     description: The annotation
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.34.4/plugin/pkg/admission/serviceaccount/admission.go
#     description: What admission checks (limitSecretReferences)
# custom:
#   severity: error
#   kinds: [workloads]
#   words: [ecret]
#   reads: [ServiceAccount]
#   connected_to:
#     ServiceAccount: [enforce-mountable-secrets]
#   fix: none
package salint.rules.pod.mountable_secret

import data.salint.helpers
import data.salint.helpers.pods
import data.salint.lib

report contains finding if {
	some admitted in salint.admission(input.resource)
	not admitted.static
	count(admitted.accounts) == 1
	some found in salint.find({"kind": "ServiceAccount", "group": "", "name": admitted.account})
	found.ref == admitted.accounts[0]
	enforced(found.resource)
	some reference in salint.secret_references(input.resource)
	array.slice(reference.path, 0, count(admitted.path)) == admitted.path
	not "projected" in reference.path
	not helpers.templated(reference.name)
	list := field_for(reference)
	not reference.name in {entry.name | some entry in found.resource[list]}
	finding := lib.related(
		lib.finding(reference.path, sprintf("%s names Secret %s, which %s of %s does not list. %s", [
			pods.called(input.resource), reference.name, list, helpers.called(found.resource),
			"The account enforces the list, so the API server rejects the pod. Add the Secret to the list, or remove the annotation.",
		])),
		found.ref, ["metadata", "annotations", annotation], "the account enforces its list",
	)
}

annotation := "kubernetes.io/enforce-mountable-secrets"

# https://pkg.go.dev/strconv#ParseBool
enforced(account) if account.metadata.annotations[annotation] in {"true", "True", "TRUE", "t", "T", "1"}

field_for(reference) := "imagePullSecrets" if {
	reference.pulls
} else := "secrets"
