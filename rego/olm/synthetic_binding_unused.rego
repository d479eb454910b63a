# METADATA
# title: A binding of a synthetic identity has no effect any more
# description: |
#   Where the service account of extensions is ignored or gone, OLM acts as its own cluster-admin account and impersonates
#   nobody. Bindings to `olm:clusterextension:<name>` and to the group `olm:clusterextensions` grant nothing to anybody
#   who could use it, except to those who may impersonate users. They limit nothing either, however they read: an
#   extension that was granted one namespace is now installed as cluster-admin.
#
#   Keep them as long as another cluster of an older release applies the same files.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation
#     description: Who else can be that user
# custom:
#   severity: note
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   words: [olm, Olm, OLM]
#   fix:
#     name: prune-binding
#     kind: prune
#     description: Remove the subject, and the binding with its last subject.
package salint.rules.olm.synthetic_binding_unused

import data.salint.lib
import data.salint.lib.olm
import data.salint.lib.rbac

report contains finding if {
	input.model in {"ignored", "removed"}
	some subject in rbac.subjects(input.resource)
	synthetic(subject)
	finding := lib.judged(["subjects", subject.index], message(subject))
}

synthetic(subject) if {
	subject.kind == "User"
	startswith(subject.name, olm.user_prefix)
}

synthetic(subject) if {
	subject.kind == "Group"
	subject.name == olm.identities_group
}

# A subject that was meant for one of them never had an effect.
synthetic(subject) if salint.mistyped({"kind": subject.kind, "name": subject.name})

message(subject) := sprintf(
	concat(" ", [
		"%s grants %s to %s, which has no effect %s: OLM acts as its own cluster-admin account and impersonates nobody.",
		"Remove it once no cluster of an older release applies this file.",
	]),
	[
		lib.sentence(lib.called(input.resource)), rbac.role_called(input.resource),
		rbac.subject_called(subject), lib.on_target,
	],
)
