# METADATA
# title: Nothing is bound to the synthetic identity of a ClusterExtension
# description: |
#   An extension without a service account is installed as the user `olm:clusterextension:<name>` in the group
#   `olm:clusterextensions`. Neither has any permissions: the installation fails as forbidden until an administrator
#   binds a role to one of them. OLM retries, so it succeeds soon after the binding is created.
#
#   A binding to the user grants a role to one extension, a binding to the group to every extension without an account.
#   Bindings to `system:authenticated` do not count here, because this group includes every user.
#
#   The account name `olm.synthetic-user` means the same identity on operator-controller v1.3 to v1.10 with the gate
#   `SyntheticPermissions`; it also needs a binding. Bindings in other parts of the repository count.
#   `olm/synthetic-subject-mistyped` covers a binding that misspells the identity. Extensions with templated names are
#   not checked, nor are kustomizations that patch, rename, or generate objects.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-subjects
#     description: Users and groups in bindings
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/docs/draft/howto/use-synthetic-permissions.md
#     description: Synthetic permissions in operator-controller v1.10 (it misspells the user)
# custom:
#   severity: error
#   kinds: [ClusterExtension.olm.operatorframework.io]
#   reads: [rbac]
#   evaluate_if: [identity-unbound]
#   fix:
#     name: bind-synthetic-identity
#     kind: safe
#     description: Bind the role of --grant to the user of the extension, in a new file in the same folder.
package salint.rules.olm.synthetic_identity_unbound

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.lib

report contains finding if {
	helpers.identities_count
	extension := salint.extension(input.resource)
	olm.name_known(extension)
	olm.uses_synthetic(extension)
	helpers.whole
	not bound(extension)
	not bound_elsewhere(olm.subjects_of(extension))
	not misspelled(olm.subjects_of(extension))
	some problem, clause in reasons(extension)
	finding := lib.case(helpers.judged(["metadata", "name"], message(extension, clause)), problem)
}

bound(extension) if {
	some binding in salint.bindings_of(olm.user_subject(extension))
	binding.via in {"", olm.identities_group}
}

# Unless a signal turns the gate on, a binding of an account with the name of the placeholder can be meant for that account.
bound(extension) if {
	olm.gate != "on"
	olm.placeholder_account_bound(extension)
}

# A separate application can apply the bindings.
bound_elsewhere(subjects) if {
	some subject in subjects
	some binding in salint.bindings_naming(subject.name)
	some written in binding.resource.subjects
	written.kind == subject.kind
	written.name == subject.name
}

# synthetic-subject-mistyped reports a binding that misspells the identity.
misspelled(subjects) if {
	some subject in subjects
	some binding in salint.bindings_misspelling(subject.name)
	some written in binding.resource.subjects
	meant := salint.mistyped({"kind": written.kind, "name": written.name})
	meant.kind == subject.kind
	meant.name == subject.name
}

message(extension, clause) := sprintf(
	concat(" ", [
		"%s, and nothing is bound to User %s or to Group %s.",
		"OLM impersonates this user, so the installation fails. Bind a role to the user.",
	]),
	[clause, olm.user(extension), olm.identities_group],
)

# reasons is why OLM impersonates the user, by the name of the case.
reasons(extension) := {"absent": sprintf("%s has no service account", [olm.called(extension)])} if olm.accountless(extension)

reasons(extension) := {"placeholder": sprintf("%s names the placeholder %s", [olm.called(extension), olm.placeholder])} if {
	extension.account.name == olm.placeholder
}
