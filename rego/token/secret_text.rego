# What messages state about Secrets with tokens of service accounts.
package salint.helpers.token.secret_text

import data.salint.helpers.tokens

# requests describes the token of a Secret, as in `Secret ci/robot requests …`: the token controller writes the token.
requests(secret) := sprintf("requests a token of ServiceAccount %s that never expires", [tokens.account(secret)]) if {
	tokens.account(secret) != ""
} else := "requests a token of an account that never expires"
