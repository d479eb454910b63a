# METADATA
# title: The identity that installs an extension is cluster-admin
# description: |
#   OLM acts as this identity when it installs and upgrades the extension. If the identity is bound to `cluster-admin`,
#   or to a role that is effectively the same (`*/*/*`, or get, create, update, and delete on every resource of every
#   group), the next version of the bundle can create anything. A ServiceAccount with such a binding can be used by
#   anyone who can create pods in its namespace or request its tokens. Most extensions in public repositories are
#   installed this way; per-extension identities were meant to avoid it.
#
#   This rule checks ClusterRoleBindings whose subject is a ServiceAccount that an extension of the deployment unit
#   names, a group of such an account (`system:serviceaccounts`, `system:serviceaccounts:<namespace>`,
#   `system:authenticated`), or the user `olm:clusterextension:<name>` of an extension that is installed as its
#   synthetic identity. `olm/group-grant` covers the group of all these identities. A binding has one finding,
#   regardless of the number of extensions. The effective permissions count: aggregated roles are combined first, and
#   several bindings that together grant everything have one finding, at the first of them.
#
#   The `roleRef` of a binding is immutable: a smaller role needs a binding with a new name, applied before the old one
#   is deleted. If the bundle of the extension is known (`bundles:` in the configuration or `--bundle EXTENSION=DIR`),
#   the fix writes both.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#least-privilege
#     description: Least privilege
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/docs/howto/derive-service-account.md
#     description: How to find the permissions that an extension needs
# custom:
#   severity: warning
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, ClusterExtension.olm.operatorframework.io]
#   words: [ServiceAccount, ClusterExtension, "olm:clusterextension:", "system:"]
#   reads: [ClusterRole.rbac.authorization.k8s.io, ClusterRoleBinding.rbac.authorization.k8s.io]
#   connected_to:
#     ClusterExtension.olm.operatorframework.io: []
#   evaluate_if: [everything-granted, everything-held]
#   fix:
#     name: replace-cluster-admin
#     kind: unsafe
#     description: >-
#       Grant the identity the permissions that its bundle needs, in separate roles and bindings, and remove it
#       from this binding (with --grant least-privilege).
package salint.rules.olm.cluster_admin_grant

import data.salint.helpers
import data.salint.helpers.accounts
import data.salint.helpers.olm
import data.salint.helpers.olm.reached_extensions
import data.salint.helpers.rbac
import data.salint.lib

report contains finding if {
	helpers.identities_count
	rbac.is_cluster_admin(input.resource)
	reached := reached_extensions.list
	count(reached) > 0
	judged := lib.case(helpers.judged(["roleRef"], message(reached)), ["alone", reached[0].subject.kind])
	finding := lib.held_by(fixable(pointing(judged, reached), reached), rbac.holder(reached[0].subject))
}

# fixable withholds the fix if no bundle is known.
fixable(finding, reached) := finding if {
	any_bundle(reached)
} else := object.union(finding, {"fix": null})

any_bundle(reached) if {
	some reach in reached
	salint.bundle(reach.resource)
}

# Several bindings can grant everything together. The search begins at the extension, because salint.bindings_of leaves
# out the bindings of its namesakes.
report contains finding if {
	helpers.identities_count
	extension := salint.extension(input.resource)
	olm.name_known(extension)
	subject := olm.subjects_of(extension)[0]
	parts := rbac.together_admin(salint.bindings_of(subject))
	count(parts) > 0
	judged := lib.case(
		helpers.judged(["roleRef"], together(extension, subject, parts)),
		["together", {"ref": salint.ref(input.resource), "path": ["metadata", "name"]}],
	)
	finding := lib.at(
		object.union(judged, {"fix": null, "related": [related |
			some part in array.slice(parts, 1, 6)
			related := {"ref": part.ref, "path": ["roleRef"], "message": sprintf("%s grants the rest", [part.name])}
		]}),
		parts[0].ref,
	)
}

message(reached) := sprintf(
	"%s grants %s to %s. %s %s, in a new binding: a roleRef is immutable.",
	[
		helpers.sentence(helpers.called(input.resource)), cluster_admin,
		olm.installer(subject, helpers.listed(extensions)), consequence[subject.kind], smaller_role,
	],
) if {
	subject := reached[0].subject
	extensions := [olm.called(reach.extension) | some reach in reached]
}

together(extension, subject, parts) := sprintf(
	"%s together grant effectively cluster-admin to %s. %s %s.",
	[
		helpers.listed([helpers.titled(part.kind, "", part.name) | some part in parts]),
		olm.installer(subject, olm.called(extension)), consequence[subject.kind], smaller_role,
	],
)

default cluster_admin := "cluster-admin"

cluster_admin := sprintf("%s, effectively cluster-admin,", [rbac.role_called(input.resource)]) if {
	input.resource.roleRef.name != "cluster-admin"
}

consequence := {
	"ServiceAccount": accounts.usable_by_pods,
	"User": "The next version of the bundle gets whatever it requests.",
	"Group": "Every other member of the group gets it too.",
}

smaller_role := "Bind a role with only the permissions that the bundle needs"

pointing(finding, reached) := object.union(finding, {"related": [related |
	some reach in array.slice(reached, 0, 5)
	related := {
		"ref": reach.ref,
		"path": reach.extension.account.path,
		"message": sprintf("OLM installs %s as this identity", [olm.called(reach.extension)]),
	}
]})
