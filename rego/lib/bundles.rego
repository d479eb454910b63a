# What extensions install, in words.
package salint.lib.bundles

import data.salint.lib
import data.salint.lib.rbac

# called is how messages call a bundle.
called(bundle) := sprintf("its bundle %s (%s)", [bundle.name, bundle.dir]) if {
	bundle.name != ""
} else := sprintf("what is in %s", [bundle.dir])

# rules_text says in a few words what the rules of some scopes allow: the first three of them.
rules_text(scopes) := shortened([line |
	some scope in scopes
	some text in scope.texts
	line := concat("", [text, where(scope.namespace)])
])

where(namespace) := " in the whole cluster" if {
	namespace == ""
} else := sprintf(" in namespace %s", [namespace])

# shortened joins texts that have commas in them, and counts those behind the third.
shortened(texts) := concat("; ", texts) if {
	count(texts) <= 3
} else := sprintf("%s; and %d more", [concat("; ", array.slice(texts, 0, 3)), count(texts) - 3])

# pointing adds to a finding about a subject the first bindings that grant it something, and the bundle.
pointing(finding, subject, bundle) := beginning(
	object.union(finding, {"related": [related |
		some binding in array.slice(salint.bindings_of(subject), 0, 3)
		related := {
			"ref": binding.ref, "path": ["roleRef"],
			"message": sprintf("%s is bound here", [rbac.subject_called(subject)]),
		}
	]}),
	bundle,
)

# beginning adds the place where a bundle begins, and says that the finding changes with it.
beginning(finding, bundle) := lib.caused_by(
	lib.related_file(finding, bundle.file, bundle.line, "the bundle begins here"),
	bundle.places,
)
