# What the API server refuses or drops in the tokens of a GrafanaServiceAccount.
package salint.lib.grafana.schema_tokens

import data.salint.lib
import data.salint.lib.grafana.schema_values as values

listed := input.resource.spec.tokens if is_array(input.resource.spec.tokens)

# Of a list the API server drops nothing.
refusals contains [["spec", "tokens", i], sprintf("A token is %s and must be a mapping with a name.", [values.kind_of(token)])] if {
	some i, token in listed
	not is_object(token)
	not values.filled_in(token)
}

refusals contains [["spec", "tokens", i, "name"], "A token has no name."] if {
	some i, token in listed
	is_object(token)
	not values.given(token, "name")
	lib.as_written
}

refusals contains [["spec", "tokens", i, field], message] if {
	some i, token in listed
	some field in {"name", "secretName"}
	message := values.wrong_text(sprintf("%s of a token", [field]), token[field])
}

refusals contains [["spec", "tokens", i, "name"], sprintf("The token %v is there twice.", [name])] if {
	some name, indexes in positions
	first := min(indexes)
	some i in indexes
	i != first
}

# positions are the indexes at which each name of a token stands.
positions[name] contains i if {
	some i, token in listed
	name := token.name
	name != null
	not values.filled_in(name)
}

refusals contains [["spec", "tokens", i, "expires"], message] if {
	some i, token in listed
	values.given(token, "expires")
	not values.filled_in(token.expires)
	not values.passes_for_time(token.expires)
	message := sprintf("expires is %s and must be %s.", [values.shown(token.expires), values.times])
}

unknown contains [["spec", "tokens", i, field], sprintf("The CRD has no field %s of a token.", [field])] if {
	some i, token in listed
	some field, _ in token
	is_object(token)
	not field in {"expires", "name", "secretName"}
}
