# Bundles and permissions in messages.
package salint.helpers.bundles

import data.salint.helpers.rbac
import data.salint.lib

# called returns the name of a bundle in messages.
called(bundle) := sprintf("its bundle %s (%s)", [bundle.name, bundle.dir]) if {
	bundle.name != ""
} else := sprintf("the manifests in %s", [bundle.dir])

# called_with returns the bundle with a verb of which it is the subject.
called_with(bundle, one, many) := sprintf("%s %s", [called(bundle), one]) if {
	bundle.name != ""
} else := sprintf("%s %s", [called(bundle), many])

# rules_text returns the permissions of some scopes as text: the first three, and the number of the others.
rules_text(scopes) := shortened([line |
	some scope in scopes
	some permission in scope.texts
	line := concat("", [permission, where(scope.namespace)])
])

# named returns the permissions of some scopes for the case of a finding: without names and namespaces, which differ between
# deployment units.
named(scopes) := sort({permission |
	some scope in scopes
	some rule in scope.rules
	words := [rule.verbs, ["on"], rule.resources, ["in"], rule.apiGroups, rule.nonResourceURLs]
	permission := concat(" ", [word | some list in words; some word in list])
})

where(namespace) := " in the whole cluster" if {
	namespace == ""
} else := sprintf(" in namespace %s", [namespace])

# shortened joins items that can contain commas: the first three, and the number of the others.
shortened(items) := concat("; ", items) if {
	count(items) <= 3
} else := sprintf("%s; and %d more", [concat("; ", array.slice(items, 0, 3)), count(items) - 3])

# pointing adds to a finding about a subject its first three bindings, and the bundle.
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

# beginning adds the first line of a bundle, and the files of the bundle as causes of the finding.
beginning(finding, bundle) := lib.caused_by(
	lib.related_file(finding, bundle.file, bundle.line, "the bundle begins here"),
	bundle.places,
)
