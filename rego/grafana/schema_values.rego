# What the values of a GrafanaServiceAccount must be, and how messages show them.
package salint.lib.grafana.schema_values

import data.salint.lib

# given tells that a field is there and stays: the API server drops what is null.
given(mapping, field) if mapping[field] != null

# wrong_text says what is wrong with a value that must be a text which is not empty; undefined for a good one.
wrong_text(field, value) := sprintf("%s is empty.", [field]) if value == ""

wrong_text(field, value) := sprintf("%s is %s and must be a text%s.", [field, shown(value), hint(value)]) if {
	wrong_type(value, "string")
}

hint(value) := sprintf(`: write "%v"`, [value]) if {
	type_name(value) in {"number", "boolean"}
} else := ""

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
} else := "a text of another form" if {
	is_string(value)
} else := sprintf("%v", [value]) if {
	type_name(value) in {"number", "boolean"}
} else := kind_of(value)

good_duration(period) if {
	is_string(period)
	regex.match(`^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`, period)
	time.parse_duration_ns(period) > 0
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
