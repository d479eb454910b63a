# Pods, wherever an object embeds them: what salint.pods gives.
package salint.lib.pods

import data.salint.lib

# name is serviceAccountName of a pod, and alias its deprecated field serviceAccount; "" where they name nobody.
name(pod) := text(pod.spec, "serviceAccountName")

alias(pod) := text(pod.spec, "serviceAccount")

text(spec, key) := value if {
	value := spec[key]
	is_string(value)
} else := ""

# contradicts tells that the two fields name different accounts, whatever is filled in later.
contradicts(pod) if {
	alias(pod) != ""
	name(pod) != ""
	alias(pod) != name(pod)
	not lib.placeholder(alias(pod))
	not lib.placeholder(name(pod))
}

# called is how messages begin to speak about the pods of an object.
called(resource) := lib.called(resource) if {
	resource.kind == "Pod"
} else := sprintf("The pod of %s", [lib.called(resource)])
