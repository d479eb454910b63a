# METADATA
# title: A binding grants a role to the identity of an extension that does not exist
# description: |
#   OLM never creates and never deletes the bindings of synthetic identities. When an extension goes, or is renamed, its
#   bindings stay, and whoever creates an extension of that name next has what the old one had.
#
#   An extension counts as existing when any manifest of the repository has its name. Nothing is said in a repository
#   that holds no ClusterExtension at all: a repository of access rules, say, whose extensions live elsewhere. There a
#   binding that dangles looks like every other. Nothing is said either where an extension has a name that is filled in
#   later, which may be the one that is bound, or where a kustomization patches, renames or generates.
#
#   On targets that ignore identities, `olm/synthetic-binding-unused` speaks about all of these bindings.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#rolebinding-and-clusterrolebinding
#     description: Bindings
# custom:
#   severity: warning
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   words: ["olm:clusterextension:"]
#   reads: [ClusterExtension.olm.operatorframework.io]
#   fix:
#     name: prune-binding
#     kind: prune
#     description: Remove the subject, and the binding with its last subject.
package salint.rules.olm.synthetic_binding_dangling

import data.salint.lib
import data.salint.lib.olm
import data.salint.lib.rbac

report contains finding if {
	lib.identities_count
	some subject in rbac.subjects(input.resource)
	name := extension_of(subject)
	not exists(name)
	lib.as_written
	others := salint.anywhere(olm.extension_query)
	count(others) > 0
	every other in others { olm.name_known(salint.extension(other.resource)) }
	finding := lib.judged(["subjects", subject.index], message(subject, name))
}

# extension_of is the extension whose synthetic user a subject is.
extension_of(subject) := name if {
	subject.kind == "User"
	startswith(subject.name, olm.user_prefix)
	name := trim_prefix(subject.name, olm.user_prefix)
	name != ""
	not lib.templated(name)
	not contains(name, ":")
}

exists(name) if count(salint.anywhere(object.union(olm.extension_query, {"name": name}))) > 0

message(subject, name) := sprintf(
	concat(" ", [
		"%s grants %s to %s, but the repository has no ClusterExtension %s.",
		"OLM does not delete such bindings: whoever creates an extension of that name has the role.",
		"Remove the subject.",
	]),
	[lib.sentence(lib.called(input.resource)), rbac.role_called(input.resource), rbac.subject_called(subject), name],
)
