# METADATA
# title: A Secret requests a token that never expires
# description: |
#   The token controller writes a token of the account into a Secret of type `kubernetes.io/service-account-token`. This
#   token does not expire, is not bound to a pod, and is valid until the Secret or the account is deleted. Anyone who
#   can read Secrets in the namespace, or a backup or copy of them, can act as the account without a time limit. Pods
#   get a token that is renewed from a projected volume. Outside the cluster, request a token that expires, with
#   `kubectl create token` or the TokenRequest API.
#
#   If the API server rejects the Secret, or the token controller deletes it, `token/secret-without-account` reports it
#   instead. `token/secret-mounted` reports the pods that use it.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/service-accounts/#get-a-token
#     description: How to get a token
# custom:
#   severity: warning
#   kinds: [Secret]
#   words: [kubernetes.io/service-account-token]
#   reads: [opaque_installers, account_creators]
#   reads_all: [ServiceAccount]
#   fix: none
package salint.rules.token.long_lived_secret

import data.salint.lib
import data.salint.lib.accounts
import data.salint.lib.token.secret_text
import data.salint.lib.tokens

report contains lib.finding(["type"], message) if {
	tokens.is_token_secret(input.resource)
	tokens.account(input.resource) != ""
	not accounts.missing(tokens.account(input.resource), lib.namespace(input.resource)) # the controller deletes the Secret
}

message := sprintf(
	concat(" ", [
		"%s %s. Anyone who can read the Secret can act as the account.",
		"Project a token into the pods that need it, or create one that expires: kubectl create token %s%s.",
	]),
	[lib.called(input.resource), secret_text.requests(input.resource), tokens.account(input.resource), option],
)

default option := ""

option := sprintf(" -n %s", [lib.namespace(input.resource)]) if not lib.open_namespace(lib.namespace(input.resource))
