# METADATA
# title: A Secret requests a token that never expires
# description: |
#   The token controller writes a token of the account into a Secret of type `kubernetes.io/service-account-token`. This
#   token does not expire, is not bound to a pod, and is valid until the Secret or the account is deleted. Anyone who
#   can read Secrets in the namespace, or a backup or copy of them, can act as the account without a time limit. Pods
#   get a token that is renewed from a projected volume. Outside the cluster, request a token that expires, with
#   `kubectl create token` or the TokenRequest API.
#
#   A token that exists stays valid when the manifest is removed from Git: deleting the Secret, or the account, on the
#   cluster revokes it. To see who still uses it, first read the label `kubernetes.io/legacy-token-last-used`, to which
#   the API server writes the day of the last use (since Kubernetes 1.26), or the audit log, where each request with such
#   a token has the annotation `authentication.k8s.io/legacy-token` with the account.
#
#   If the API server rejects the Secret, or the token controller deletes it, `token/secret-without-account` reports it
#   instead. If the manifest contains the token, `token/in-git` does. `token/secret-mounted` reports the pods that use it.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/service-accounts/#get-a-token
#     description: How to get a token
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/#auto-generated-legacy-serviceaccount-token-clean-up
#     description: Labels and audit annotations of such tokens
# custom:
#   severity: warning
#   kinds: [Secret]
#   words: [kubernetes.io/service-account-token]
#   reads: [opaque_installers, account_creators]
#   reads_all: [ServiceAccount]
#   fix: none
package salint.rules.token.long_lived_secret

import data.salint.helpers
import data.salint.helpers.accounts
import data.salint.helpers.token.secret_text
import data.salint.helpers.tokens
import data.salint.lib

report contains lib.finding(["type"], message) if {
	tokens.is_token_secret(input.resource)
	tokens.account(input.resource) != ""
	not accounts.missing_for_token(tokens.account(input.resource), helpers.namespace(input.resource)) # the controller deletes the Secret
	not salint.account_fault(tokens.account(input.resource)) # the same
	count(salint.account_tokens(input.resource)) == 0 # token/in-git says more
}

message := sprintf(
	concat(" ", [
		"%s %s. Anyone who can read the Secret can act as the account.",
		"Project a token into the pods that need it, or create one that expires%s.%s",
	]),
	[helpers.called(input.resource), secret_text.requests(input.resource), create, existing],
)

# create is the command for a token that expires, unless the name is filled in later.
create := "" if {
	helpers.placeholder(tokens.account(input.resource))
} else := sprintf(": kubectl create token %s%s", [tokens.account(input.resource), option])

# existing is about the token on the cluster, which the removal of the manifest does not revoke.
existing := sprintf(
	concat(" ", [
		" Then see when the existing token was used (kubectl get secret %s%s -L kubernetes.io/legacy-token-last-used),",
		"and revoke it: kubectl delete secret %s%s.",
	]),
	[name, option, name, option],
) if {
	name := helpers.name(input.resource)
	name != ""
	not helpers.placeholder(name)
} else := ""

default option := ""

option := sprintf(" -n %s", [helpers.namespace(input.resource)]) if {
	not helpers.open_namespace(helpers.namespace(input.resource))
	not helpers.placeholder(helpers.namespace(input.resource))
}
