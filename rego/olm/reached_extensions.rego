# The extensions that OLM installs as a subject of input.resource, a ClusterRoleBinding.
package salint.helpers.olm.reached_extensions

import data.salint.helpers.olm
import data.salint.helpers.rbac

# list holds the extensions whose identity is a subject of the binding, each with this subject.
list := [reach |
	some entry in salint.installed_as(subjects)
	extension := salint.extension(entry.resource)
	subject := reaching(extension)
	reach := {"ref": entry.ref, "resource": entry.resource, "extension": extension, "subject": subject}
]

subjects := rbac.subjects(input.resource)

# reaching returns the first subject that is, or includes, the identity of an extension. Only the first counts, so that
# list has an extension once.
reaching(extension) := [subject |
	some subject in subjects
	is_identity(subject, extension)
][0]

is_identity(subject, extension) if {
	subject.kind == "ServiceAccount"
	olm.uses_account(extension)
	subject.name == extension.account.name
	same_namespace(subject.namespace, extension.namespace)
}

is_identity(subject, extension) if {
	subject.kind == "Group"
	olm.uses_account(extension)
	subject.name in rbac.groups_of_account(extension.namespace)
}

is_identity(subject, extension) if {
	subject.kind == "User"
	startswith(subject.name, olm.user_prefix)
	extension.name != ""
	subject.name == olm.user(extension)
	olm.uses_synthetic(extension)
}

same_namespace(namespace, namespace)

same_namespace("", namespace) if namespace != ""

same_namespace(namespace, "") if namespace != ""
