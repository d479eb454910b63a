# What of a GrafanaServiceAccount the API server takes, and the operator then fails over.
package salint.lib.grafana.schema_operator

import data.salint.lib
import data.salint.lib.grafana
import data.salint.lib.grafana.schema_tokens as tokens
import data.salint.lib.grafana.schema_values as values

spec := input.resource.spec

# One that has a status as well is what a test expects to find on the cluster.
failures contains [[], message] if {
	object.get(input.resource, "spec", null) == null
	not "status" in object.keys(input.resource)
	lib.as_written
	message := sprintf(
		"%s has no spec. The API server takes that, and the operator finds no Grafana for it: set instanceName and role.",
		[lib.sentence(lib.called(input.resource))],
	)
}

failures contains [["spec", "tokens", i, "expires"], message] if {
	some i, token in tokens.listed
	not values.filled_in(token.expires)
	values.passes_for_time(token.expires)
	not values.is_time(token.expires)
	message := sprintf(
		"expires is %s and should be %s. The API server takes it, and the operator can then decode no account at all.",
		[values.shown(token.expires), values.times],
	)
}

failures contains [["spec", "instanceName"], message] if {
	instance := grafana.text(spec.instanceName)
	not values.object_name(instance)
	message := sprintf(
		"spec.instanceName is %s, and no Grafana can be called so. The API server takes it, and the operator creates no account.",
		[values.shown(instance)],
	)
}

failures contains [["spec", "tokens", i, "secretName"], sprintf("%s %s", [message, stored_nowhere])] if {
	some i, token in tokens.listed
	secret := grafana.text(token.secretName)
	not values.object_name(secret)
	message := sprintf("secretName is %s, and no Secret can be called so: %s.", [values.shown(secret), values.object_names])
}

failures contains [["spec", "tokens", i, "name"], sprintf("%s %s", [message, stored_nowhere])] if {
	lib.as_written
	some i, token in tokens.listed
	is_object(token)
	not values.given(token, "secretName")
	prefix := concat("-", [
		grafana.text(spec.instanceName), grafana.text(input.resource.metadata.name), grafana.text(token.name), "",
	])
	not values.makes_object_names(prefix)
	message := sprintf(
		"The token %s has no secretName, and the name that the operator makes, %s…, is none that a Secret can have: set secretName.",
		[values.shown(token.name), values.shown(prefix)],
	)
}

failures contains [path, message] if {
	count(tokens.listed) > 0
	some path in [["metadata", "name"], ["spec", "instanceName"]]
	name := grafana.text(object.get(input.resource, path, null))
	count(name) > 63
	values.object_name(name)
	message := sprintf(
		"%s has %d characters. The operator writes it into a label of each Secret, which takes 63. %s",
		[concat(".", path), count(name), stored_nowhere],
	)
}

stored_nowhere := concat(" ", [
	"The API server takes the object, and the operator cannot store the token:",
	"it creates another one each time it tries.",
])
