# METADATA
# title: The pull Secrets of an account are not used
# description: |
#   The API server adds the `imagePullSecrets` of the account to a pod only if the pod names none itself. A pod that lists another Secret pulls its
#   images without those of the account, which is right only if none of its images needs them.
#
#   Nothing is reported if the pod lists all Secrets of the account.
# related_resources:
#   - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/#add-imagepullsecrets-to-a-service-account
#     description: Pull Secrets of an account
# custom:
#   severity: note
#   kinds: [workloads]
#   words: [imagePullSecrets]
#   skip_unless: [word-found]
#   reads: [ServiceAccount]
#   fix: none
package salint.rules.pod.pull_secret_ignored

import data.salint.helpers
import data.salint.helpers.pods
import data.salint.lib

report contains finding if {
	some i, admitted in salint.admission(input.resource)
	not admitted.static
	admitted.pull_secrets_by == "pod"
	count(admitted.accounts) == 1
	some found in salint.find({"kind": "ServiceAccount", "group": "", "name": admitted.account})
	found.ref == admitted.accounts[0]
	unused := {secret.name | some secret in found.resource.imagePullSecrets} - {name | some name in admitted.pull_secrets}
	count(unused) > 0
	every name in unused { not helpers.templated(name) }
	pod := salint.pods(input.resource)[i]
	finding := lib.related(
		lib.finding(array.concat(pod.path, ["imagePullSecrets"]), sprintf(
			"%s names other pull Secrets, so %s of %s %s not added. Add %s to the pod if one of its images needs it.",
			[pods.called(input.resource), helpers.listed(sort(unused)), helpers.called(found.resource), are(unused), them(unused)],
		)),
		found.ref, ["imagePullSecrets"], "the pull Secrets of the account",
	)
}

are(unused) := "is" if {
	count(unused) == 1
} else := "are"

them(unused) := "it" if {
	count(unused) == 1
} else := "them"
