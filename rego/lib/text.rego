# The names of objects and places in messages, and the names that are unknown until a template is filled in.
package salint.helpers

# templated is true if a string contains a template: ${NAME}, $(NAME), {{ name }}, or << name >>.
templated(text) if {
	some mark in {"${", "$(", "{{", "<<"}
	contains(text, mark)
}

# placeholder is true if a string cannot be the name of an account, a namespace, or a Secret, because the API server accepts
# only lowercase letters, digits, dashes, and dots. Some tool replaces it before the manifest is applied.
placeholder(text) if {
	text != ""
	not regex.match(`^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$`, text)
}

# role_placeholder is the same for roles, whose names can also contain capitals, colons, and underscores. A name of capitals
# alone counts as a placeholder.
role_placeholder(text) if not regex.match(`^[-.:@_A-Za-z0-9]*$`, text)

role_placeholder(text) if regex.match(`^[-_A-Z0-9]*[A-Z][-_A-Z0-9]*$`, text)

# name returns metadata.name, or "" if it is missing or not a string.
name(resource) := text if {
	text := resource.metadata.name
	is_string(text)
} else := ""

# namespace returns metadata.namespace, or "" if the manifest does not set it.
namespace(resource) := text if {
	text := resource.metadata.namespace
	is_string(text)
} else := ""

# open_namespace is true for a namespace that is unknown: a manifest does not set it, or a chart uses the namespace of its
# release, which is rendered as release-namespace if no application sets it.
open_namespace("")

open_namespace("release-namespace")

# called returns the name of an object in messages: its kind, namespace, and name.
called(resource) := titled(resource.kind, namespace(resource), name(resource))

# titled is the same for the parts of a reference. An object without a name is called by its kind.
titled(kind, object_namespace, object_name) := sprintf("this %s", [kind]) if {
	object_name == ""
} else := sprintf("%s %s", [kind, object_name]) if {
	object_namespace == ""
} else := sprintf("%s %s/%s", [kind, object_namespace, object_name])

# sentence capitalizes the first letter, unless the first word contains a digit or a dash, as a name does.
sentence(text) := concat("", [upper(substring(text, 0, 1)), substring(text, 1, -1)]) if {
	regex.match(`^[a-z]+ `, text)
} else := text

# listed joins names as in a sentence: a, b, and c. Long lists are cut after the fifth.
listed(names) := names[0] if count(names) == 1

listed(names) := concat(" and ", names) if count(names) == 2

listed(names) := sprintf("%s, and %s", [concat(", ", array.slice(names, 0, count(names) - 1)), names[count(names) - 1]]) if {
	count(names) > 2
	count(names) <= 5
}

listed(names) := sprintf("%s, and %d more", [concat(", ", array.slice(names, 0, 5)), count(names) - 5]) if count(names) > 5
