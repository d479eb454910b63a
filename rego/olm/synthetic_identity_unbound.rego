# METADATA
# title: Nothing is bound to the synthetic identity of a ClusterExtension
# description: |
#   An extension without a service account is installed as the user `olm:clusterextension:<name>` in the group
#   `olm:clusterextensions`. Both have no permissions of their own: until an administrator binds a role to one of them, the
#   installation fails as forbidden. OLM tries again, so it succeeds soon after the binding is there.
#
#   A binding to the user grants one extension, a binding to the group every extension without an account. What is bound
#   to `system:authenticated` does not count here: every user has that.
#
#   The account name `olm.synthetic-user` stands for the same identity on operator-controller v1.3 to v1.10, with the gate
#   `SyntheticPermissions`; there too, something must be bound. Bindings in other parts of the repository count. A binding
#   that misspells the identity is left to `olm/synthetic-subject-mistyped`. Names that are filled in later are not judged,
#   and neither are kustomizations that patch, rename or generate.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-subjects
#     description: Users and groups in bindings
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/docs/draft/howto/use-synthetic-permissions.md
#     description: Synthetic permissions in operator-controller v1.10 (it misspells the user)
# custom:
#   severity: error
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   reads: [rbac]
#   fix:
#     name: bind-synthetic-identity
#     kind: safe
#     description: Bind the role that is asked for to the user of the extension, in a file beside it.
package salint.rules.olm.synthetic_identity_unbound

import data.salint.lib
import data.salint.lib.olm
import data.salint.lib.rbac

report contains finding if {
	lib.identities_count
	extension := salint.extension(input.resource)
	olm.name_known(extension)
	olm.uses_synthetic(extension)
	lib.as_written
	not bound(extension)
	not bound_elsewhere(olm.subjects_of(extension))
	not misspelled(olm.subjects_of(extension))
	finding := lib.judged(["metadata", "name"], message(extension))
}

bound(extension) if {
	some binding in salint.bindings_of(olm.user_subject(extension))
	binding.via in {"", olm.identities_group}
}

# Where nothing says that the gate is on, somebody who bound an account of the placeholder's name may mean that account.
bound(extension) if {
	extension.account.name == olm.placeholder
	olm.gate != "on"
	some binding in salint.bindings_of(olm.account_subject(extension))
	binding.via == ""
}

# Access may be applied apart from the extensions, as an application of its own. This is looked at last, for it looks at
# every binding there is.
bound_elsewhere(subjects) if {
	some kind in ["ClusterRoleBinding", "RoleBinding"]
	some binding in salint.anywhere({"group": rbac.group, "kind": kind})
	some written in binding.resource.subjects
	some subject in subjects
	written.kind == subject.kind
	written.name == subject.name
}

# A binding that was meant for the identity and misspells it is for synthetic-subject-mistyped.
misspelled(subjects) if {
	some kind in ["ClusterRoleBinding", "RoleBinding"]
	some binding in salint.anywhere({"group": rbac.group, "kind": kind})
	some written in binding.resource.subjects
	meant := salint.mistyped({"kind": written.kind, "name": written.name})
	some subject in subjects
	meant.kind == subject.kind
	meant.name == subject.name
}

message(extension) := sprintf(
	concat(" ", [
		"%s, so OLM impersonates User %s, and nothing is bound to that user or to Group %s:",
		"it may do nothing, and the installation fails as forbidden. Bind a role to the user.",
	]),
	[reason(extension), olm.user(extension), olm.identities_group],
)

reason(extension) := sprintf("%s has no service account", [olm.called(extension)]) if olm.accountless(extension)

reason(extension) := sprintf("%s names the placeholder %s", [olm.called(extension), olm.placeholder]) if {
	extension.account.name == olm.placeholder
}
