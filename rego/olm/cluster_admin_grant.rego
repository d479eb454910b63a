# METADATA
# title: The identity that installs an extension is cluster-admin
# description: |
#   OLM acts as this identity when it installs and upgrades the extension. Bound to `cluster-admin`, or to a role that
#   allows the same in effect (`*/*/*`, or to read, create, change and delete every resource of every group), it creates
#   whatever the next version of the bundle asks for, and a ServiceAccount with such a binding can be used by whoever may
#   create pods in its namespace or ask for its tokens. This is how most extensions in public repositories are installed,
#   and what per-extension identities were meant to avoid.
#
#   Judged are ClusterRoleBindings to a ServiceAccount that an extension of the deployment unit names, to a group that
#   such an account is in (`system:serviceaccounts`, `system:serviceaccounts:<namespace>`, `system:authenticated`), and to
#   the user `olm:clusterextension:<name>` of an extension that is installed as its synthetic identity. The group of all
#   these identities is for `olm/group-grant`. A binding has one finding, however many extensions it reaches. What counts
#   is the effect: aggregated roles are put together first, and several bindings that come to everything between them have
#   a finding at the first of them.
#
#   The `roleRef` of a binding is immutable: a smaller role needs a binding with a new name, applied before the old one
#   goes. Where the bundle of the extension is known (`bundles:` in the configuration or `--bundle EXTENSION=DIR`), the fix
#   writes both.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#least-privilege
#     description: Least privilege
#   - ref: https://github.com/operator-framework/operator-controller/blob/v1.10.0/docs/howto/derive-service-account.md
#     description: How to find out what an extension needs
# custom:
#   severity: warning
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, ClusterExtension.olm.operatorframework.io]
#   words: [ServiceAccount, ClusterExtension, "olm:clusterextension:", "system:"]
#   reads: [ClusterRole.rbac.authorization.k8s.io, ClusterRoleBinding.rbac.authorization.k8s.io]
#   connected_to:
#     ClusterExtension.olm.operatorframework.io: []
#   fix:
#     name: replace-cluster-admin
#     kind: unsafe
#     description: |-
#       With --grant least-privilege: grant the identity what its bundle needs, by roles and bindings of its own, and take it
#       out of the binding.
package salint.rules.olm.cluster_admin_grant

import data.salint.lib
import data.salint.lib.olm
import data.salint.lib.olm.reached_extensions
import data.salint.lib.rbac

report contains finding if {
	lib.identities_count
	rbac.is_cluster_admin(input.resource)
	reached := reached_extensions.list
	count(reached) > 0
	finding := fixable(pointing(lib.judged(["roleRef"], message(reached)), reached), reached)
}

# fixable withholds the fix where no bundle is known.
fixable(finding, reached) := finding if {
	any_bundle(reached)
} else := object.union(finding, {"fix": null})

any_bundle(reached) if {
	some reach in reached
	salint.bundle(reach.resource)
}

# Several bindings may come to everything between them. They are looked for from the extension, which knows those that
# belong to it rather than to a namesake.
report contains finding if {
	lib.identities_count
	extension := salint.extension(input.resource)
	olm.name_known(extension)
	subject := olm.subjects_of(extension)[0]
	parts := rbac.together_admin(salint.bindings_of(subject))
	count(parts) > 0
	judged := lib.judged(["roleRef"], together(extension, subject, parts))
	finding := lib.at(
		object.union(judged, {"fix": null, "related": [related |
			some part in array.slice(parts, 1, 6)
			related := {"ref": part.ref, "path": ["roleRef"], "message": sprintf("%s grants the rest", [part.name])}
		]}),
		parts[0].ref,
	)
}

message(reached) := sprintf(
	"%s makes %s cluster-admin%s, as which OLM installs %s: %s. Bind a role with what the bundle needs, %s.",
	[
		lib.sentence(lib.called(input.resource)), rbac.subject_called(subject), role, lib.listed(extensions), danger(subject),
		"under a new binding name, for roleRef is immutable",
	],
) if {
	subject := reached[0].subject
	extensions := [olm.called(reach.extension) | some reach in reached]
}

together(extension, subject, parts) := sprintf(
	"%s make %s cluster-admin in effect between them, as which OLM installs %s: %s. Bind a role with what the bundle needs.",
	[
		lib.listed([lib.titled(part.kind, "", part.name) | some part in parts]),
		rbac.subject_called(subject), olm.called(extension), danger(subject),
	],
)

default role := ""

role := sprintf(" in effect (%s allows everything)", [rbac.role_called(input.resource)]) if {
	input.resource.roleRef.name != "cluster-admin"
}

danger(subject) := sprintf(
	"the next version of the bundle gets whatever it asks for, and whoever may create pods in %s can use the account",
	[where(subject)],
) if {
	subject.kind == "ServiceAccount"
}

danger(subject) := "the next version of the bundle gets whatever it asks for" if subject.kind == "User"

danger(subject) := "so is everybody else in that group" if subject.kind == "Group"

where(subject) := sprintf("namespace %s", [subject.namespace]) if {
	subject.namespace != ""
} else := "its namespace"

pointing(finding, reached) := object.union(finding, {"related": [related |
	some reach in array.slice(reached, 0, 5)
	related := {
		"ref": reach.ref,
		"path": reach.extension.account.path,
		"message": sprintf("%s is installed as this identity", [olm.called(reach.extension)]),
	}
]})
