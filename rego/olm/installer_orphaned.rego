# METADATA
# title: A service account that installed an extension is left over
# description: |
#   When a ClusterExtension no longer names an account, the account, its bindings and its roles stay. Nobody uses them, and
#   whoever may create pods in the namespace, or ask for tokens there, has what the installer had: everything that the
#   extension's bundle asks for, in many repositories cluster-admin.
#
#   An account counts as an orphaned installer when nothing in the repository mentions it besides its own manifest, its
#   bindings and the lists of a kustomization, and when its roles are those of an installer:
#
#   * together they `update` the `finalizers` of ClusterExtensions and create CustomResourceDefinitions. One of the two is
#     not enough: pipelines that deploy operators create CustomResourceDefinitions as well.
#   * or they are cluster-admin, by name or in effect, and an extension of the same deployment unit is installed in the
#     namespace of the account; among plain files, an extension that no other lies nearer to the account than.
#   * or they are cluster-admin, the name of the account speaks of installing, and any extension of the repository is
#     installed in its namespace. A cluster-admin account of another name may be what a pipeline outside of the cluster
#     uses.
#
#   It is a warning, and an error where the account is cluster-admin. An account with other roles is only reported by the
#   run that removes the field: later runs cannot tell that it was there to install.
#
#   Any other mention keeps an account: pods, token Secrets, Flux and Argo CD, a user `system:serviceaccount:…`. So does a
#   binding to one of the platform's own roles (`system:…`), such as an image puller. The name of another object is no
#   mention, nor is a subject or a pod of another namespace, in the templates of charts as well. Where a script or a page
#   of documentation is all that names the account, a note says so. A name that is filled in later, as in
#   `{{ .Release.Name }}-installer`, may be the account or not: it is reported all the same, and `--prune` leaves it. Accounts that an extension still names are not orphaned, even where the field is ignored; nor are those
#   in a namespace where an extension lacks the account that it needs, for this one may have been meant.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#workload-creation
#     description: Who may create pods has the permissions of every account of the namespace
# custom:
#   severity: warning
#   kinds: [ServiceAccount]
#   reads:
#     - ClusterExtension.olm.operatorframework.io
#     - Role.rbac.authorization.k8s.io
#     - RoleBinding.rbac.authorization.k8s.io
#   connected_to:
#     ClusterRole.rbac.authorization.k8s.io: [clusterextensions/finalizers, '"*"', "'*'"]
#     ClusterRoleBinding.rbac.authorization.k8s.io: [install, cluster-admin]
#   fix:
#     name: prune-installer
#     kind: prune
#     description: Remove the account, its bindings and the roles that nothing else uses.
package salint.rules.olm.installer_orphaned

import data.salint.lib
import data.salint.lib.olm.installer_traits as account
import data.salint.lib.olm.installer_uses as uses

# The mentions come last: they are looked for in every byte of the repository.
report contains finding if {
	name := lib.name(input.resource)
	name != ""
	not lib.templated(name)
	count(account.bindings) > 0
	not account.platform_role
	not account.named
	account.installer
	not account.wanted
	not uses.used
	finding := pointing(lib.with_severity(
		lib.finding(["metadata", "name"], message),
		severity,
	))
}

severity := "note" if {
	count(uses.in_text) > 0
} else := "error" if {
	account.cluster_admin
} else := "warning"

message := sprintf(
	concat(" ", [
		"%s has the permissions of an installer (%s), and %s.",
		"Whoever may create pods in %s has them too. Remove the account with its bindings, unless something outside of the",
		"repository uses it.",
	]),
	[lib.sentence(lib.called(input.resource)), lib.listed(granted), use, where],
)

use := "nothing in the repository uses it" if {
	count(uses.others) == 0
} else := sprintf("only text names it in the repository, at %s", [place(uses.in_text[0])]) if {
	count(uses.in_text) > 0
} else := sprintf(
	"nothing in the repository uses it, unless the name is meant that is filled in later at %s",
	[place(uses.in_template[0])],
)

place(mention) := sprintf("%s:%d", [mention.file, mention.line])

granted := sort({text |
	some binding in account.bindings
	text := lib.titled(binding.role.kind, "", binding.role.name)
})

where := sprintf("namespace %s", [account.subject.namespace]) if {
	account.subject.namespace != ""
} else := "its namespace"

pointing(finding) := object.union(finding, {"related": [related |
	some binding in array.slice(account.bindings, 0, 5)
	related := {
		"ref": binding.ref,
		"path": ["roleRef"],
		"message": sprintf("grants it %s", [lib.titled(binding.role.kind, "", binding.role.name)]),
	}
]})
