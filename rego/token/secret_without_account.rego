# METADATA
# title: A token Secret belongs to no account
# description: |
#   A Secret of type `kubernetes.io/service-account-token` names its account in the annotation
#   `kubernetes.io/service-account.name`. The API server rejects the Secret if the annotation is missing. If the account
#   does not exist, the token controller deletes the Secret soon after it is created, and programs that need the token
#   wait for it.
#
#   A name that no account can have, such as a user name (`system:serviceaccount:shop:web`), is reported in every namespace, unless it looks
#   like a placeholder. A missing account is reported only under the conditions of `pod/service-account-not-found`: the deployment unit
#   creates other accounts in the namespace, or beside a Secret without a namespace, and nothing that can create this
#   account is known. For the Secret of a chart, accounts of other deployment units do not count.
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

import data.salint.helpers
import data.salint.helpers.accounts
import data.salint.helpers.rbac.missing
import data.salint.helpers.tokens
import data.salint.lib

report contains lib.finding(["metadata", "annotations"], message) if {
	tokens.is_token_secret(input.resource)
	tokens.account(input.resource) == ""
	helpers.as_written
	message := sprintf(
		"%s has no annotation %s. The API server rejects a Secret of this type without it. Set the annotation to an account.",
		[helpers.called(input.resource), tokens.annotation],
	)
}

report contains lib.finding(["metadata", "annotations", tokens.annotation], message) if {
	tokens.is_token_secret(input.resource)
	name := tokens.account(input.resource)
	namespace := helpers.namespace(input.resource)
	accounts.missing_for_token(name, namespace)
	message := sprintf(
		concat(" ", [
			"%s belongs to %s.",
			"The token controller deletes the Secret of a missing account. Create the account, or correct the name.",
		]),
		[helpers.called(input.resource), owner(name, namespace)],
	)
}

owner(name, namespace) := missing.account(name, namespace) if {
	accounts.missing(name, namespace)
} else := sprintf("%s, which its chart does not create%s", [accounts.titled(name, namespace), missing.siblings(namespace)])

report contains lib.case(lib.finding(["metadata", "annotations", tokens.annotation], message), "invalid") if {
	tokens.is_token_secret(input.resource)
	helpers.as_written
	fault := salint.account_fault(tokens.account(input.resource))
	message := sprintf(
		"%s belongs to an account with an invalid name: %s. The token controller deletes the Secret. Correct the name.",
		[helpers.called(input.resource), fault],
	)
}
