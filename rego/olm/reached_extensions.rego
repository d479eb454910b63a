# The extensions that OLM installs as a subject of input.resource, a ClusterRoleBinding.
package salint.lib.olm.reached_extensions

import data.salint.lib.olm
import data.salint.lib.rbac

# list are the extensions that the binding reaches, each with the subject through which it does.
list := [reach |
	some entry in salint.lookup(olm.extension_query)
	not is_anothers(entry.resource)
	extension := salint.extension(entry.resource)
	subject := reaching(extension)
	reach := {"ref": entry.ref, "resource": entry.resource, "extension": extension, "subject": subject}
]

subjects := rbac.subjects(input.resource)

# is_anothers tells of an extension, without reading it, that it names an account which the binding does not: there may be as
# many of them as there are bindings.
is_anothers(resource) if {
	resource.apiVersion == "olm.operatorframework.io/v1"
	name := resource.spec.serviceAccount.name
	is_string(name)
	not resource.spec.install
	not name in accounts
}

# accounts are the names of the subjects where all of these are accounts.
accounts := {subject.name | some subject in subjects} if {
	every subject in subjects { subject.kind == "ServiceAccount" }
}

# reaching is the subject through which the binding reaches the identity of an extension: the first, so that an
# extension counts once.
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
