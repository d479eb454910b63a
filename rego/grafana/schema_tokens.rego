# The problems that make the API server reject or drop tokens of a GrafanaServiceAccount.
package salint.helpers.grafana.schema_tokens

import data.salint.helpers
import data.salint.helpers.grafana.schema_values as values

listed := input.resource.spec.tokens if is_array(input.resource.spec.tokens)

# The API server does not drop null from a list.
refusals contains {"path": ["spec", "tokens", i], "case": "type", "problem": sprintf("a token is %s.", [values.kind_of(token)]), "remedy": "Set a mapping with a name."} if {
	some i, token in listed
	not is_object(token)
	not values.filled_in(token)
}

refusals contains {"path": ["spec", "tokens", i, "name"], "case": "missing", "problem": "a token has no name.", "remedy": "Set its name."} if {
	some i, token in listed
	is_object(token)
	not values.given(token, "name")
	helpers.as_written
}

refusals contains {"path": ["spec", "tokens", i, field], "case": "text", "problem": problem, "remedy": remedy} if {
	some i, token in listed
	some field in {"name", "secretName"}
	remedy := values.correct_string(token[field])
	problem := sprintf("%s of a token is %s.", [field, values.shown(token[field])])
}

refusals contains {"path": ["spec", "tokens", i, "name"], "case": "twice", "problem": sprintf("the token name %v occurs twice.", [name]), "remedy": "Use each name once."} if {
	some name, indexes in positions
	first := min(indexes)
	some i in indexes
	i != first
}

# positions are the indexes of the tokens of each name.
positions[name] contains i if {
	some i, token in listed
	name := token.name
	name != null
	not values.filled_in(name)
}

refusals contains {"path": ["spec", "tokens", i, "expires"], "case": "time", "problem": problem, "remedy": values.set_time} if {
	some i, token in listed
	values.given(token, "expires")
	not values.filled_in(token.expires)
	not values.passes_for_time(token.expires)
	problem := sprintf("expires is %s.", [values.shown(token.expires)])
}

unknown contains {"path": ["spec", "tokens", i, field], "case": "unknown", "problem": sprintf("%s is not a field of a token.", [field]), "remedy": "Remove it."} if {
	some i, token in listed
	some field, _ in token
	is_object(token)
	not field in {"expires", "name", "secretName"}
}
