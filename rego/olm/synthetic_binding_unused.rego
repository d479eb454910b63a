# METADATA
# title: A binding of a synthetic identity no longer has an effect
# description: |
#   Where the service account of extensions is ignored or gone, OLM acts as its own cluster-admin account and
#   impersonates no identity. Bindings to `olm:clusterextension:<name>` and to the group `olm:clusterextensions` grant
#   permissions only to those who can impersonate these users. They also limit nothing, although they appear to: an
#   extension that was limited to one namespace is now installed as cluster-admin.
#
#   Under `synthetic`, a binding to the user of an extension that sets `spec.serviceAccount` has no effect as long as the field is set:
#   OLM acts as the account. It is not removed, because a migration applies the grant first and removes the field then.
#
#   Keep the bindings while another cluster of an older release applies the same files.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation
#     description: Impersonation of users
# custom:
#   severity: note
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   words: [olm, Olm, OLM]
#   reads: [rbac, ClusterExtension.olm.operatorframework.io]
#   fix:
#     name: prune-binding
#     kind: prune
#     description: Remove the subject, or the whole binding if it has no other subject.
package salint.rules.olm.synthetic_binding_unused

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.helpers.rbac
import data.salint.lib

report contains finding if {
	input.model in {"ignored", "removed"}
	some subject in rbac.subjects(input.resource)
	synthetic(subject)
	finding := rbac.by_role(helpers.judged(["subjects", subject.index], message(subject)), subject, [])
}

report contains finding if {
	input.model == "synthetic"
	some subject in rbac.subjects(input.resource)
	subject.kind == "User"
	startswith(subject.name, olm.user_prefix)
	query := object.union(olm.extension_query, {"name": trim_prefix(subject.name, olm.user_prefix)})
	some entry in salint.find(query)
	entry.ref in salint.nearest_of(query) # plain files can hold the extensions of several clusters
	extension := salint.extension(entry.resource)
	olm.named(extension)
	found := lib.case(helpers.judged(["subjects", subject.index], while_set(subject, extension)), ["field set"])
	finding := lib.without_fix(
		lib.related(found, entry.ref, extension.account.path, "the field is set here"),
		"the grant is applied before the field is removed",
	)
}

while_set(subject, extension) := sprintf(
	"%s grants %s to %s, which has no effect as long as %s sets %s: OLM acts as the account. Remove the field when the grant is applied.",
	[
		helpers.sentence(helpers.called(input.resource)), rbac.role_called(input.resource), rbac.subject_called(subject),
		olm.called(extension), olm.field(extension),
	],
)

synthetic(subject) if {
	subject.kind == "User"
	startswith(subject.name, olm.user_prefix)
}

synthetic(subject) if {
	subject.kind == "Group"
	subject.name == olm.identities_group
}

# A misspelled synthetic identity never had an effect.
synthetic(subject) if salint.mistyped({"kind": subject.kind, "name": subject.name})

message(subject) := sprintf(
	"%s grants %s to %s, which %s. Remove the subject when no cluster of an older release applies this file.",
	[helpers.sentence(helpers.called(input.resource)), rbac.role_called(input.resource), rbac.subject_called(subject), olm.no_effect],
)
