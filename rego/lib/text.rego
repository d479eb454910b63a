# How messages name objects and places, and which names are only known once a template is filled in.
package salint.lib

# templated tells that a text is filled in before it is applied: ${NAME}, $(NAME) or {{ name }}.
templated(text) if {
	some mark in {"${", "$(", "{{"}
	contains(text, mark)
}

# placeholder tells that a text stands where the name of an account, a namespace or a Secret belongs and cannot be one, for
# the API server takes small letters, digits, dashes and dots alone: it is filled in before it is applied, by whatever tool.
placeholder(text) if {
	text != ""
	not regex.match(`^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$`, text)
}

# role_placeholder is the same for roles, whose names may have capitals, colons and underscores in them as well. One of
# capitals alone is taken for a placeholder.
role_placeholder(text) if not regex.match(`^[-.:@_A-Za-z0-9]*$`, text)

role_placeholder(text) if regex.match(`^[-_A-Z0-9]*[A-Z][-_A-Z0-9]*$`, text)

# name is metadata.name, or "" where it is missing or no text.
name(resource) := text if {
	text := resource.metadata.name
	is_string(text)
} else := ""

# namespace is metadata.namespace, or "" where the manifest leaves it to whoever applies it.
namespace(resource) := text if {
	text := resource.metadata.namespace
	is_string(text)
} else := ""

# open_namespace tells of a namespace that nobody knows yet: a manifest leaves it open, or a chart has that of its release,
# which is rendered by this name where no application tells it.
open_namespace("")

open_namespace("release-namespace")

# called is how a message calls an object: its kind, namespace and name.
called(resource) := titled(resource.kind, namespace(resource), name(resource))

# titled is the same for the parts of a reference. What has no name yet is called by its kind alone.
titled(kind, object_namespace, object_name) := sprintf("this %s", [kind]) if {
	object_name == ""
} else := sprintf("%s %s", [kind, object_name]) if {
	object_namespace == ""
} else := sprintf("%s %s/%s", [kind, object_namespace, object_name])

# sentence begins a message with a capital letter, unless it begins with a name, which has a digit or a dash in it.
sentence(text) := concat("", [upper(substring(text, 0, 1)), substring(text, 1, -1)]) if {
	regex.match(`^[a-z]+ `, text)
} else := text

# listed joins names as a sentence does: a, b and c. Of long lists it names the first five.
listed(names) := names[0] if count(names) == 1

listed(names) := sprintf("%s and %s", [concat(", ", array.slice(names, 0, count(names) - 1)), names[count(names) - 1]]) if {
	count(names) > 1
	count(names) <= 5
}

listed(names) := sprintf("%s and %d more", [concat(", ", array.slice(names, 0, 5)), count(names) - 5]) if count(names) > 5
