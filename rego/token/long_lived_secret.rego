# METADATA
# title: A token that never expires is kept in a Secret
# description: |
#   The token controller writes a token of the account into a Secret of the type
#   `kubernetes.io/service-account-token`. That token has no expiry, is bound to no pod, and is valid until the Secret
#   or the account is deleted: whoever may read Secrets in the namespace, a backup or a copy elsewhere can act as the
#   account for ever. Pods get a token that is renewed from a projected volume; whoever is outside the cluster asks
#   for one that expires, with `kubectl create token` or the TokenRequest API.
#
#   A Secret that the API server refuses, or that the token controller deletes, is reported by
#   `token/secret-without-account`, and its mounts by `token/secret-mounted`.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/service-accounts/#get-a-token
#     description: Ways to get a token
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
import data.salint.lib.tokens

report contains lib.finding(["type"], message) if {
	tokens.is_token_secret(input.resource)
	tokens.account(input.resource) != ""
	not accounts.missing(tokens.account(input.resource), lib.namespace(input.resource)) # the controller deletes the Secret
}

message := sprintf(
	concat(" ", [
		"%s asks for a token of ServiceAccount %s that never expires.",
		"Project a token into the pods that need it, or ask for one that expires: kubectl create token %s%s.",
	]),
	[lib.called(input.resource), account, account, option],
) if {
	account := tokens.account(input.resource)
}

default option := ""

option := sprintf(" -n %s", [lib.namespace(input.resource)]) if not lib.open_namespace(lib.namespace(input.resource))
