# METADATA
# title: A pod uses a token that never expires
# description: |
#   The pod reads a token out of a Secret of the type `kubernetes.io/service-account-token`. It never expires, is not
#   bound to the pod, and may be one of another account than the pod's own. A projected volume gives the pod a token
#   of its own account instead, for one audience, that the kubelet renews before it expires and that is worth nothing
#   once the pod is gone.
#
#   The fix writes such a volume in the place of the Secret, with the same files, and removes the Secret where nothing
#   else names it. For whom the token is meant is asked of the configuration: `tokens: {audience: …,
#   expirationSeconds: …}` in `.salint.yaml`. The program must read the file again from time to time, and whoever
#   takes the token must take the audience, so it needs `--unsafe-fixes`. Tokens in the environment and files that are
#   mounted by `subPath` are never renewed, and are not fixed.
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
#     description: Project a token that expires into the pod, and remove the Secret where nothing else names it.
package salint.rules.token.secret_mounted

import data.salint.lib
import data.salint.lib.tokens

report contains finding if {
	tokens.is_token_secret(input.resource)
	ref := salint.ref(input.resource)
	some user in salint.secret_users(ref)
	in_pod(user)
	said := lib.at(lib.finding(user.path, message), user.ref)
	finding := fixable(lib.related(said, ref, ["type"], "the Secret that the token controller writes"), user)
}

# in_pod leaves out pull secrets, and the lists of an account.
in_pod(user) if {
	not user.pulls
	count(user.path) > 3
}

message := sprintf(
	concat(" ", [
		"The pod uses %s, which holds a token of %s that never expires.",
		"Project a token into the pod instead: it is renewed, and worth nothing once the pod is gone.",
	]),
	[lib.called(input.resource), owner],
)

default owner := "an account"

owner := sprintf("ServiceAccount %s", [account]) if {
	account := tokens.account(input.resource)
	account != ""
}

fixable(finding, user) := finding if {
	volume(user)
} else := lib.without_fix(finding, reason) if {
	reason := concat(" ", [
		"a token in the environment, or in a volume together with others, is read in a way that only the program knows:",
		"mount a projected volume, and have the program read the file again before the token expires",
	])
}

volume(user) if {
	user.mount
	user.path[count(user.path) - 1] == "secretName"
}
