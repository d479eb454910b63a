# What messages state about Secrets with tokens of service accounts.
package salint.lib.token.secret_text

import data.salint.lib.tokens

# holds describes the token of a Secret, as in `Secret ci/robot holds …`.
holds(secret) := sprintf("holds a token of ServiceAccount %s that never expires", [tokens.account(secret)]) if {
	tokens.account(secret) != ""
} else := "holds a token of an account that never expires"
