# METADATA
# title: A binding grants a role to the identity of an extension that does not exist
# description: |
#   OLM neither creates nor deletes the bindings of synthetic identities. When an extension is deleted or renamed, its
#   bindings remain. Anyone who then creates an extension of that name gets the permissions of the old one.
#
#   An extension exists if any manifest of the repository has its name. The rule reports nothing in a repository without
#   any ClusterExtension, such as a repository of access rules: all its bindings would look dangling, unless
#   a run with `--changed-since` shows that a change deletes the extension. It also reports nothing if an extension has a templated name, which can be the bound one, or if a kustomization patches, renames, or
#   generates objects.
#
#   On targets that ignore identities, `olm/synthetic-binding-unused` reports all of these bindings.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#rolebinding-and-clusterrolebinding
#     description: Bindings
# custom:
#   severity: warning
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   words: ["olm:clusterextension:"]
#   reads: [ClusterExtension.olm.operatorframework.io, rbac]
#   evaluate_if: [user-unknown]
#   fix:
#     name: prune-binding
#     kind: prune
#     description: Remove the subject, or the whole binding if it has no other subject.
package salint.rules.olm.synthetic_binding_dangling

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.helpers.rbac

report contains finding if {
	helpers.identities_count
	some subject in rbac.subjects(input.resource)
	name := extension_of(subject)
	not exists(name)
	helpers.whole
	has_extensions(name)
	count(salint.anywhere(object.union(olm.extension_query, {"name_known": "false"}))) == 0
	not of_base(name)
	finding := rbac.by_role(helpers.judged(["subjects", subject.index], message(subject, name)), subject, [])
}

# extension_of returns the name of the extension whose synthetic user is the subject.
extension_of(subject) := name if {
	subject.kind == "User"
	startswith(subject.name, olm.user_prefix)
	name := trim_prefix(subject.name, olm.user_prefix)
	name != ""
	not helpers.templated(name)
	not salint.mistyped({"kind": subject.kind, "name": subject.name})
}

# of_base holds for the name that an extension of the unit has in its file, where a kustomization gives it another one. The extension
# then has no binding, and this one shows which was meant: olm/synthetic-identity-unbound reports it.
of_base(name) if {
	some entry in salint.renamed(object.union(olm.extension_query, {"name": name}))
	extension := salint.extension(entry.resource)
	every binding in salint.bindings_of(olm.user_subject(extension)) { binding.via != "" }
}

has_extensions(_) if count(salint.refs_anywhere(olm.extension_query)) > 0

has_extensions(name) if count(salint.removed(object.union(olm.extension_query, {"name": name}))) > 0

exists(name) if count(salint.anywhere(object.union(olm.extension_query, {"name": name}))) > 0

message(subject, name) := sprintf(
	concat(" ", [
		"%s grants %s to %s, but the repository has no ClusterExtension %s.",
		"Anyone who creates it gets the role. Remove the subject.",
	]),
	[helpers.sentence(helpers.called(input.resource)), rbac.role_called(input.resource), rbac.subject_called(subject), name],
)
