# Secrets with tokens of service accounts.
package salint.helpers.tokens

# is_token_secret is true for a Secret into which the token controller writes a token.
is_token_secret(resource) if {
	resource.kind == "Secret"
	resource.type == "kubernetes.io/service-account-token"
}

annotation := "kubernetes.io/service-account.name"

# account returns the account of a token Secret, "" if it names none.
account(secret) := name if {
	name := secret.metadata.annotations[annotation]
	is_string(name)
} else := ""
