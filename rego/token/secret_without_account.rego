# METADATA
# title: A token Secret belongs to no account
# description: |
#   A Secret of the type `kubernetes.io/service-account-token` names its account in the annotation
#   `kubernetes.io/service-account.name`. Without the annotation the API server refuses the Secret. Where the account
#   does not exist, the token controller deletes the Secret soon after it was created, and whoever needs the token
#   waits for it.
#
#   That an account does not exist is only said under the conditions of `pod/service-account-not-found`: the manifests
#   that are applied together create other accounts in the namespace, and nothing is seen that may bring this one.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets
#     description: Token Secrets
# custom:
#   severity: error
#   kinds: [Secret]
#   words: [kubernetes.io/service-account-token]
#   reads: [opaque_installers, account_creators]
#   reads_all: [ServiceAccount]
#   fix: none
package salint.rules.token.secret_without_account

import data.salint.lib
import data.salint.lib.accounts
import data.salint.lib.tokens

report contains lib.finding(["metadata", "annotations"], message) if {
	tokens.is_token_secret(input.resource)
	tokens.account(input.resource) == ""
	lib.as_written
	message := sprintf(
		"%s names no account: the API server refuses a Secret of its type without the annotation %s.",
		[lib.called(input.resource), tokens.annotation],
	)
}

report contains lib.finding(["metadata", "annotations", tokens.annotation], message) if {
	tokens.is_token_secret(input.resource)
	name := tokens.account(input.resource)
	namespace := lib.namespace(input.resource)
	accounts.missing(name, namespace)
	message := sprintf(
		concat(" ", [
			"%s is for %s, which no manifest of the repository creates (the namespace has %s).",
			"The token controller deletes the Secret. Create the account, or correct the name.",
		]),
		[lib.called(input.resource), accounts.titled(name, namespace), accounts.listed_siblings(namespace)],
	)
}
