# The extensions that OLM installs as a subject of input.resource, a ClusterRoleBinding.
package salint.lib.olm.reached_extensions

import data.salint.lib.olm
import data.salint.lib.rbac

# list holds the extensions whose identity is a subject of the binding, each with this subject.
list := [reach |
	some entry in salint.lookup(olm.extension_query)
	not is_anothers(entry.resource)
	extension := salint.extension(entry.resource)
	subject := reaching(extension)
	reach := {"ref": entry.ref, "resource": entry.resource, "extension": extension, "subject": subject}
]

subjects := rbac.subjects(input.resource)

# is_anothers is true if an extension names an account that is not a subject of the binding. It does not parse the
# extension, because a repository can have as many extensions as bindings.
is_anothers(resource) if {
	resource.apiVersion == "olm.operatorframework.io/v1"
	name := resource.spec.serviceAccount.name
	is_string(name)
	not resource.spec.install
	not name in accounts
}

# accounts holds the names of the subjects if all of them are accounts.
accounts := {subject.name | some subject in subjects} if {
	every subject in subjects { subject.kind == "ServiceAccount" }
}

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
