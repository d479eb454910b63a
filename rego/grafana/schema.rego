# METADATA
# title: GrafanaServiceAccount is not what its CRD takes
# description: |
#   Judged by the CRD of `grafana.integreatly.org/v1beta1` that grafana-operator releases:
#
#   * `spec.instanceName` and `spec.role` are required; the role is `Viewer`, `Editor` or `Admin`;
#   * `spec.name`, `spec.instanceName` and the names of tokens and Secrets are texts that are not empty; a name such as `123`
#     needs quotes;
#   * `isDisabled` and `suspend` are `true` or `false`, without quotes;
#   * `resyncPeriod` is a duration above 0, as in `10m0s` or `1.5h`;
#   * `tokens` is a list in which every `name` occurs once;
#   * `expires` is a time in RFC 3339, with seconds and a time zone, as in `2026-12-31T14:00:00+02:00`. A date alone is none.
#
#   An object that breaks one of these is refused by the API server. A field that the CRD does not know is not: the API
#   server drops it, and kubectl refuses it unless it is told `--validate=false`. What the author wanted does not happen.
#   So it is with `permissions`, which the proposal for this resource had and no release has: who may edit a service account
#   in Grafana cannot be said here.
#
#   A field that is `null` counts as left out: the API server drops it. So `expires: null` is a token that never expires, and
#   `tokens: null` none at all. Up to v5.21 of the operator `spec.name` was required; since v5.22 it is `metadata.name`
#   unless it is set.
#
#   Later changes are limited, too: on a live object `spec.instanceName` and `spec.name` are immutable, and `spec.name` can
#   neither be added nor removed. Renaming means a new object, with new tokens. A comparison with the live object is beyond
#   this rule.
#
#   Some things pass the schema, and the operator fails over them:
#
#   * an object without `spec`;
#   * a time such as `2026-12-31t14:00:00z`, which it cannot decode. It reads all accounts as one list, so a single one of
#     these keeps it from every account of the cluster;
#   * an `instanceName` that no object can have, such as `My Grafana`;
#   * a `secretName` that no Secret can have, such as `my_token`. Without `secretName` the name is made of the Grafana's, the
#     resource's and the token's, so a token called `My token` needs one. The token is created in Grafana, storing it is
#     refused, and each further attempt creates another;
#   * a name of the resource or of its Grafana with more than 63 characters, where there are tokens: the operator writes both
#     into labels of the Secrets.
#
#   Values that are filled in later (`${ROLE}`) are not judged.
# related_resources:
#   - ref: https://grafana.github.io/grafana-operator/docs/api/
#     description: API reference of grafana-operator
#   - ref: https://github.com/grafana/grafana-operator/blob/master/docs/docs/planning/proposals/003-grafanaserviceaccount-crd.md
#     description: The proposal, with the field permissions
# custom:
#   severity: error
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   fix: none
package salint.rules.grafana.schema

import data.salint.lib
import data.salint.lib.grafana

report contains lib.finding(problem[0], sprintf("%s %s", [problem[1], refused])) if some problem in refusals

report contains lib.finding(problem[0], sprintf("%s %s", [problem[1], dropped])) if some problem in unknown

refused := "The API server refuses the object."

dropped := "The API server drops it without an error, and kubectl refuses it."

spec := input.resource.spec

refusals contains [["apiVersion"], message] if {
	input.resource.apiVersion != "grafana.integreatly.org/v1beta1"
	message := "GrafanaServiceAccounts are released as grafana.integreatly.org/v1beta1 only."
}

# One that has a status as well is what a test expects to find on the cluster.
report contains finding if {
	object.get(input.resource, "spec", null) == null
	not "status" in object.keys(input.resource)
	lib.as_written
	message := sprintf(
		"%s has no spec. The API server takes that, and the operator finds no Grafana for it: set instanceName and role.",
		[lib.sentence(lib.called(input.resource))],
	)
	finding := lib.finding([], message)
}

refusals contains [["spec"], sprintf("spec is %s and must be a mapping.", [kind_of(spec)])] if wrong_type(spec, "object")

# given tells that a field is there and stays: the API server drops what is null.
given(mapping, field) if mapping[field] != null

# Where a patch that is not seen may add a field, it may be there.
refusals contains [["spec", field], sprintf("spec.%s is missing: %s.", [field, purpose])] if {
	is_object(spec)
	some field, purpose in {
		"instanceName": "the name of a Grafana in the same namespace",
		"role": "Viewer, Editor or Admin",
	}
	not given(spec, field)
	lib.as_written
}

refusals contains [["spec", field], message] if {
	some field in {"instanceName", "name"}
	message := wrong_text(sprintf("spec.%s", [field]), spec[field])
}

refusals contains [["spec", "role"], message] if {
	spec.role != null
	not spec.role in {"Viewer", "Editor", "Admin"}
	not filled_in(spec.role)
	message := sprintf("spec.role is %s; Grafana has the roles Viewer, Editor and Admin.", [shown(spec.role)])
}

refusals contains [["spec", field], sprintf("spec.%s is %s and must be true or false.", [field, shown(spec[field])])] if {
	some field in {"isDisabled", "suspend"}
	wrong_type(spec[field], "boolean")
}

refusals contains [["spec", "resyncPeriod"], sprintf("spec.resyncPeriod is %s and must be %s.", [shown(period), durations])] if {
	period := spec.resyncPeriod
	period != null
	not filled_in(period)
	not good_duration(period)
}

durations := "a duration above 0, as in 10m0s"

good_duration(period) if {
	is_string(period)
	regex.match(`^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`, period)
	time.parse_duration_ns(period) > 0
}

refusals contains [["spec", "tokens"], sprintf("spec.tokens is %s and must be a list.", [kind_of(spec.tokens)])] if {
	wrong_type(spec.tokens, "array")
}

# Of a list the API server drops nothing.
refusals contains [["spec", "tokens", i], sprintf("A token is %s and must be a mapping with a name.", [kind_of(token)])] if {
	some i, token in listed
	not is_object(token)
	not filled_in(token)
}

listed := spec.tokens if is_array(spec.tokens)

refusals contains [["spec", "tokens", i, "name"], "A token has no name."] if {
	some i, token in listed
	is_object(token)
	not given(token, "name")
	lib.as_written
}

refusals contains [["spec", "tokens", i, field], message] if {
	some i, token in listed
	some field in {"name", "secretName"}
	message := wrong_text(sprintf("%s of a token", [field]), token[field])
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
	not filled_in(name)
}

refusals contains [["spec", "tokens", i, "expires"], message] if {
	some i, token in listed
	given(token, "expires")
	not filled_in(token.expires)
	not passes_for_time(token.expires)
	message := sprintf("expires is %s and must be %s.", [shown(token.expires), times])
}

report contains finding if {
	some i, token in listed
	not filled_in(token.expires)
	passes_for_time(token.expires)
	not is_time(token.expires)
	message := sprintf(
		"expires is %s and should be %s. The API server takes it, and the operator can then decode no account at all.",
		[shown(token.expires), times],
	)
	finding := lib.finding(["spec", "tokens", i, "expires"], message)
}

times := "a time in RFC 3339, as in 2026-12-31T14:00:00+02:00"

is_time(value) if salint.seconds(value)

# passes_for_time tells that the API server takes a value for a time: it reads the format date-time more generously than
# Go's own reading of RFC 3339, with which the operator decodes the object.
# A list passes, too, for its validator looks at the types of texts and lists with a format no further.
passes_for_time(value) if is_array(value)

passes_for_time(value) if {
	is_string(value)
	parts := split(lower(value), "t")
	salint.seconds(concat("", [parts[0], "T00:00:00Z"]))
	some match in regex.find_all_string_submatch_n(`^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$`, parts[1], 1)
	match[1] <= "23"
	match[2] <= "59"
	match[3] <= "59"
}

unknown contains [[field], sprintf("The CRD has no field %s.", [field])] if {
	some field, _ in input.resource
	not field in {"apiVersion", "kind", "metadata", "spec", "status"}
}

unknown contains [["spec", field], message] if {
	is_object(spec)
	some field, _ in spec
	not field in {"instanceName", "isDisabled", "name", "resyncPeriod", "role", "suspend", "tokens"}
	message := sprintf("The CRD has no field spec.%s%s.", [field, object.get(proposed, field, "")])
}

proposed := {"permissions": ": it was proposed and not released, so who may edit the account in Grafana cannot be said here"}

unknown contains [["spec", "tokens", i, field], sprintf("The CRD has no field %s of a token.", [field])] if {
	some i, token in listed
	some field, _ in token
	is_object(token)
	not field in {"expires", "name", "secretName"}
}

# What the API server takes, and the operator then fails over.
report contains lib.finding(["spec", "instanceName"], message) if {
	instance := grafana.text(spec.instanceName)
	not object_name(instance)
	message := sprintf(
		"spec.instanceName is %s, and no Grafana can be called so. The API server takes it, and the operator creates no account.",
		[shown(instance)],
	)
}

report contains lib.finding(["spec", "tokens", i, "secretName"], sprintf("%s %s", [message, stored_nowhere])) if {
	some i, token in listed
	secret := grafana.text(token.secretName)
	not object_name(secret)
	message := sprintf("secretName is %s, and no Secret can be called so: %s.", [shown(secret), object_names])
}

report contains lib.finding(["spec", "tokens", i, "name"], sprintf("%s %s", [message, stored_nowhere])) if {
	lib.as_written
	some i, token in listed
	is_object(token)
	not given(token, "secretName")
	prefix := concat("-", [
		grafana.text(spec.instanceName), grafana.text(input.resource.metadata.name), grafana.text(token.name), "",
	])
	not makes_object_names(prefix)
	message := sprintf(
		"The token %s has no secretName, and the name that the operator makes, %s…, is none that a Secret can have: set secretName.",
		[shown(token.name), shown(prefix)],
	)
}

report contains lib.finding(path, message) if {
	count(listed) > 0
	some path in [["metadata", "name"], ["spec", "instanceName"]]
	name := grafana.text(object.get(input.resource, path, null))
	count(name) > 63
	object_name(name)
	message := sprintf(
		"%s has %d characters. The operator writes it into a label of each Secret, which takes 63. %s",
		[concat(".", path), count(name), stored_nowhere],
	)
}

stored_nowhere := concat(" ", [
	"The API server takes the object, and the operator cannot store the token:",
	"it creates another one each time it tries.",
])

object_names := "lower-case letters, digits, - and . only, 253 at most, a letter or digit at both ends"

# object_name tells that most objects can be called so, Secrets and Grafanas among them.
object_name(text) if {
	count(text) <= 253
	regex.match(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`, text)
}

# makes_object_names tells that Kubernetes makes names of a prefix, which it cuts to 58 characters before it adds 5, and
# of which it does not look at the last two before it cuts.
makes_object_names(prefix) if {
	regex.match(`^[ -~]*$`, prefix)
	object_name(concat("", [substring(prefix, 0, count(prefix) - 2), "a"]))
	object_name(concat("", [substring(prefix, 0, 58), "xxxxx"]))
}

# wrong_text says what is wrong with a value that must be a text which is not empty; undefined for a good one.
wrong_text(field, value) := sprintf("%s is empty.", [field]) if value == ""

wrong_text(field, value) := sprintf("%s is %s and must be a text%s.", [field, shown(value), hint(value)]) if {
	wrong_type(value, "string")
}

hint(value) := sprintf(`: write "%v"`, [value]) if type_name(value) in {"number", "boolean"}

hint(value) := "" if not type_name(value) in {"number", "boolean"}

# wrong_type tells that a value is of another type, and stays so.
wrong_type(value, wanted) if {
	value != null
	type_name(value) != wanted
	not filled_in(value)
}

# filled_in tells that nobody knows yet what a value will be, nor of which type.
filled_in(value) if {
	is_string(value)
	lib.templated(value)
}

kind_of(value) := {
	"array": "a list", "boolean": "a boolean", "null": "null", "number": "a number", "object": "a mapping", "string": "a text",
}[type_name(value)]

# shown is a value as a message has it.
shown(value) := sprintf("%q", [value]) if {
	is_string(value)
	count(value) <= 60
}

shown(value) := sprintf("%v", [value]) if type_name(value) in {"number", "boolean"}

shown(value) := kind_of(value) if type_name(value) in {"array", "null", "object"}

shown(value) := "a text of another form" if {
	is_string(value)
	count(value) > 60
}
