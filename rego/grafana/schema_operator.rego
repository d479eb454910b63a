# The values of a GrafanaServiceAccount that the API server accepts, and that the operator fails on.
package salint.helpers.grafana.schema_operator

import data.salint.helpers
import data.salint.helpers.grafana
import data.salint.helpers.grafana.schema_tokens as tokens
import data.salint.helpers.grafana.schema_values as values

spec := input.resource.spec

# without_spec holds for an object without a spec. One with a status is what a test expects to find on the cluster.
without_spec if {
	object.get(input.resource, "spec", null) == null
	not "status" in object.keys(input.resource)
	helpers.as_written
}

# A failure has what a problem has, and what happens on the cluster.

failures contains {"path": ["spec", "tokens", i, "expires"], "case": "decoding", "problem": problem, "remedy": values.set_time, "effect": effect} if {
	some i, token in tokens.listed
	not values.filled_in(token.expires)
	values.passes_for_time(token.expires)
	not values.is_time(token.expires)
	problem := sprintf("expires is %s.", [values.shown(token.expires)])
	effect := "The API server accepts it, but the operator cannot decode it, and then reads no account of the cluster."
}

failures contains {"path": ["spec", "instanceName"], "case": "invalid", "problem": problem, "remedy": values.object_names, "effect": effect} if {
	instance := grafana.text(spec.instanceName)
	not values.object_name(instance)
	problem := sprintf("spec.instanceName is %s, which is not a valid name of a Grafana.", [values.shown(instance)])
	effect := "The API server accepts it, but the operator creates no account."
}

failures contains {"path": ["spec", "tokens", i, "secretName"], "case": "invalid", "problem": problem, "remedy": values.object_names, "effect": not_stored} if {
	some i, token in tokens.listed
	secret := grafana.text(token.secretName)
	not values.object_name(secret)
	problem := sprintf("secretName is %s, which is not a valid name of a Secret.", [values.shown(secret)])
}

failures contains {"path": ["spec", "tokens", i, "name"], "case": "generated", "problem": problem, "remedy": "Set secretName.", "effect": not_stored} if {
	helpers.as_written
	some i, token in tokens.listed
	is_object(token)
	not values.given(token, "secretName")
	prefix := concat("-", [
		grafana.text(spec.instanceName), grafana.text(input.resource.metadata.name), grafana.text(token.name), "",
	])
	not values.makes_object_names(prefix)
	problem := sprintf(
		"the token %s has no secretName, and the generated name %s… is not valid for a Secret.",
		[values.shown(token.name), values.shown(prefix)],
	)
}

failures contains {"path": path, "case": "long", "problem": problem, "remedy": "Use at most 63 characters.", "effect": not_stored} if {
	count(tokens.listed) > 0
	some path in [["metadata", "name"], ["spec", "instanceName"]]
	name := grafana.text(object.get(input.resource, path, null))
	count(name) > 63
	values.object_name(name)
	problem := sprintf("%s has %d characters, too many for a label of the Secrets.", [concat(".", path), count(name)])
}

not_stored := "The operator creates a token each time and stores none."
