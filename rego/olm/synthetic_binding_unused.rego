# METADATA
# title: A binding of a synthetic identity no longer has an effect
# description: |
#   Where the service account of extensions is ignored or gone, OLM acts as its own cluster-admin account and
#   impersonates no identity. Bindings to `olm:clusterextension:<name>` and to the group `olm:clusterextensions` grant
#   permissions only to those who can impersonate these users. They also limit nothing, although they appear to: an
#   extension that was limited to one namespace is now installed as cluster-admin.
#
#   Keep the bindings while another cluster of an older release applies the same files.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation
#     description: Impersonation of users
# custom:
#   severity: note
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   words: [olm, Olm, OLM]
#   reads: [rbac]
#   fix:
#     name: prune-binding
#     kind: prune
#     description: Remove the subject, or the whole binding if it has no other subject.
package salint.rules.olm.synthetic_binding_unused

import data.salint.lib
import data.salint.lib.olm
import data.salint.lib.rbac

report contains finding if {
	input.model in {"ignored", "removed"}
	some subject in rbac.subjects(input.resource)
	synthetic(subject)
	finding := rbac.by_role(lib.judged(["subjects", subject.index], message(subject)), subject, [])
}

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
	[lib.sentence(lib.called(input.resource)), rbac.role_called(input.resource), rbac.subject_called(subject), olm.no_effect],
)
