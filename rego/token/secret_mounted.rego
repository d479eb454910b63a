# METADATA
# title: A pod uses a token that never expires
# description: |
#   The pod reads a token from a Secret of type `kubernetes.io/service-account-token`. This token never expires, is not
#   bound to the pod, and can belong to another account than that of the pod. With a projected volume, the pod gets a
#   token of its account for one audience. The kubelet renews this token before it expires, and it becomes invalid when
#   the pod is deleted.
#
#   The fix replaces the volume with such a projected volume with the same files, and removes the Secret if nothing else
#   references it. The audience and the lifetime come from the configuration: `tokens: {audience: …, expirationSeconds:
#   …}` in `.salint.yaml`. The program must read the file again from time to time, and the systems that receive the
#   token must accept the audience, so the fix needs `--unsafe-fixes`. Tokens in environment variables, and files that
#   are mounted with `subPath`, are never renewed, and are not fixed.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/storage/projected-volumes/#serviceaccounttoken
#     description: Tokens in projected volumes
# custom:
#   severity: warning
#   kinds: [Secret]
#   words: [kubernetes.io/service-account-token]
#   reads: [workloads]
#   fix:
#     name: project-token
#     kind: unsafe
#     description: Project a token that expires into the pod, and remove the Secret if nothing else references it.
package salint.rules.token.secret_mounted

import data.salint.helpers
import data.salint.helpers.token.secret_text
import data.salint.helpers.tokens
import data.salint.lib

report contains finding if {
	tokens.is_token_secret(input.resource)
	ref := salint.ref(input.resource)
	some user in salint.secret_users(ref)
	in_pod(user)
	about_pod := lib.at(lib.finding(user.path, message), user.ref)
	finding := fixable(lib.related(about_pod, ref, ["type"], "the Secret with the token"), user)
}

# in_pod excludes pull secrets, and the lists of an account.
in_pod(user) if {
	not user.pulls
	count(user.path) > 3
}

message := sprintf(
	concat(" ", [
		"The pod uses %s, which %s. The token remains valid after the pod is deleted.",
		"Project a token into the pod, which is renewed and bound to the pod.",
	]),
	[helpers.called(input.resource), secret_text.requests(input.resource)],
)

fixable(finding, user) := finding if {
	volume(user)
} else := lib.without_fix(finding, concat(" ", [
	"how the program reads a token from an environment variable, or from a volume with other sources, is unknown:",
	"mount a projected volume, and change the program to read the file again before the token expires",
]))

volume(user) if {
	user.mount
	user.path[count(user.path) - 1] == "secretName"
}
