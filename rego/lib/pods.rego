# The pods that salint.pods returns: those that an object embeds.
package salint.helpers.pods

import data.salint.helpers

# name returns serviceAccountName of a pod, and alias its deprecated field serviceAccount; "" if the field is missing.
name(pod) := text(pod.spec, "serviceAccountName")

alias(pod) := text(pod.spec, "serviceAccount")

text(spec, key) := value if {
	value := spec[key]
	is_string(value)
} else := ""

# contradicts is true if the two fields name different accounts, and neither has a template.
contradicts(pod) if {
	alias(pod) != ""
	name(pod) != ""
	alias(pod) != name(pod)
	not helpers.placeholder(alias(pod))
	not helpers.placeholder(name(pod))
}

# called returns the name of the pods of an object, as the beginning of a message.
called(resource) := helpers.called(resource) if {
	resource.kind == "Pod"
} else := sprintf("The pod of %s", [helpers.called(resource)])
