# The valid values of a GrafanaServiceAccount, and how messages show them.
package salint.helpers.grafana.schema_values

import data.salint.helpers

# given reports whether a field is set and kept: the API server drops null.
given(mapping, field) if mapping[field] != null

# correct_string is the remedy for a value that must be a non-empty string; undefined for a valid one.
correct_string("") := "Set a non-empty string."

correct_string(value) := remedy if {
	wrong_type(value, "string")
	remedy := set_string(value)
}

set_string(value) := sprintf(`Set "%v".`, [value]) if {
	type_name(value) in {"number", "boolean"}
} else := "Set a string."

# wrong_type reports whether a value has another type, and is not a placeholder.
wrong_type(value, wanted) if {
	value != null
	type_name(value) != wanted
	not filled_in(value)
}

# filled_in reports whether a value is a placeholder, whose value and type are unknown.
filled_in(value) if {
	is_string(value)
	helpers.templated(value)
}

kind_of(value) := {
	"array": "a list", "boolean": "a boolean", "null": "null", "number": "a number", "object": "a mapping", "string": "a string",
}[type_name(value)]

# shown formats a value for a message.
shown(value) := sprintf("%q", [value]) if {
	is_string(value)
	count(value) <= 60
} else := "a string of more than 60 characters" if {
	is_string(value)
} else := sprintf("%v", [value]) if {
	type_name(value) in {"number", "boolean"}
} else := kind_of(value)

good_duration(period) if {
	is_string(period)
	regex.match(`^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`, period)
	time.parse_duration_ns(period) > 0
}

set_time := "Set a time in RFC 3339, such as 2026-12-31T14:00:00+02:00."

is_time(value) if salint.seconds(value)

# passes_for_time reports whether the API server accepts a value as a time. Its format date-time allows more than the RFC 3339 of
# Go's time package, with which the operator decodes the object. A list is accepted as well, because the validator does not check
# the types of strings and lists with a format.
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

object_names := "Use lowercase letters, digits, - and . only, at most 253, with a letter or digit at both ends."

# object_name reports whether most objects can have the name, including Secrets and Grafanas.
object_name(text) if {
	count(text) <= 253
	regex.match(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`, text)
}

# makes_object_names reports whether Kubernetes generates valid names from a prefix. It does not validate the last two characters
# of the prefix, cuts it to 58 characters, and adds 5.
makes_object_names(prefix) if {
	regex.match(`^[ -~]*$`, prefix)
	object_name(concat("", [substring(prefix, 0, count(prefix) - 2), "a"]))
	object_name(concat("", [substring(prefix, 0, 58), "xxxxx"]))
}
