# METADATA
# title: A service account that installed an extension is left over
# description: |
#   When a ClusterExtension no longer names an account, the account, its bindings, and its roles remain. Anyone who can
#   create pods in the namespace, or request tokens there, has the permissions of the installer: everything that the
#   bundle of the extension needs, in many repositories cluster-admin.
#
#   An account counts as an orphaned installer if only its own manifest, its bindings, and the lists of a kustomization
#   reference it, and if its roles are those of an installer:
#
#   * together, they `update` the `finalizers` of ClusterExtensions and create CustomResourceDefinitions. One of the two
#     is not enough, because pipelines that deploy operators also create CustomResourceDefinitions.
#   * or they are cluster-admin, by name or effectively, and an extension of the same deployment unit is installed in
#     the namespace of the account. Among plain files, this is one of the extensions nearest to the account.
#   * or they are cluster-admin, the name of the account contains "install", and any extension of the repository is
#     installed in its namespace. A pipeline outside of the cluster can use a cluster-admin account of another name.
#
#   The severity is warning, and error if the account is cluster-admin. An account with other roles is reported only by
#   the run that removes the field, and by a run with --changed-since and a revision that has the field: other runs cannot
#   detect that it was an installer. The same applies to the account of an extension that was deleted, or that a deployment
#   unit no longer applies, since that revision; `rbac/cluster-admin-grant` then does not report the binding.
#   A line that a diff removes is not a reference.
#
#   The name by which a patch selects the account is not a reference. Any other reference keeps an account: pods, token
#   Secrets, Flux and Argo CD, a user `system:serviceaccount:…`. So does a binding to a role of the platform
#   (`system:…`), such as an image puller. A binding of another deployment unit grants it more and does not use it, but `--prune`
#   keeps the account that such a binding names, unless both units are on known clusters that differ. The name of another object is not a reference, nor is a subject or a pod of
#   another namespace; this includes the templates of charts. An admission policy, a value that gives the
#   account its name, or a patch that makes nothing use it names the account and does not use it: the finding has the place.
#   An admission policy, or a patch that cannot be removed with the account, keeps it from `--prune`; a value of the chart
#   does not. A label, an image, or the name of something of another kind is not a reference. If only a script, a page of documentation, a string in a ConfigMap, or a field of unknown
#   meaning names the account, or if a file was not read, the finding is a note. Prose and comments count if their line is
#   about accounts. A templated name, such as `{{ .Release.Name }}-installer`, can be the account: the
#   account is reported, and `--prune` keeps it. If only other overlays of a base use the account, the finding is a note.
#   If they apply its manifest under another name, they use another account, and this one is reported as unused.
#   Accounts that an extension still names are not orphaned, even if the field is ignored; a field that every overlay of
#   a base patches away does not count. If several accounts have one name,
#   a place means the one that is applied with it, or the nearest one among plain files. If the nearest one is in another
#   branch of folders, as in clusters/b for a file in clusters/a, the place can also mean an account to which no extension
#   is nearer, as in common/. An account is not orphaned either that an extension of its namespace lacks and can mean.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#workload-creation
#     description: Permission to create pods includes the permissions of every account of the namespace
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
#   evaluate_if: [account-unused]
#   fix:
#     name: prune-installer
#     kind: prune
#     description: Remove the account, its bindings, and the roles that are not used elsewhere.
package salint.rules.olm.installer_orphaned

import data.salint.helpers
import data.salint.helpers.accounts
import data.salint.helpers.olm.installer_traits as account
import data.salint.helpers.olm.installer_uses as uses
import data.salint.lib

# Most accounts that have bindings are used by an extension, so this comes before the bindings. account.wanted reads no roles, so it comes
# before account.installer. uses.used is last, because it searches every byte of the repository.
report contains finding if {
	name := helpers.name(input.resource)
	name != ""
	not helpers.templated(name)
	not account.used_by_extension
	count(account.bindings) > 0
	not account.platform_role
	not account.wanted
	account.installer
	not uses.used
	finding := pointing(lib.with_severity(
		lib.case(lib.finding(["metadata", "name"], message), use),
		severity,
	))
}

severity := "note" if {
	(count(uses.in_text) + count(uses.in_other_units)) + count(unread) > 0
} else := "error" if {
	account.cluster_admin
} else := "warning"

message := sprintf(
	"%s has installer permissions (%s), but %s. %s %s",
	[helpers.sentence(helpers.called(input.resource)), helpers.listed(granted), uses_found[use], accounts.usable_by_pods, remedy],
)

remedy := "Remove it with its bindings where nothing uses it." if {
	use == "units"
} else := sprintf("Remove it with its bindings by patches (`$patch: delete`) of its unit, because other units apply the manifest for another account (%s).", [using]) if {
	use == "renamed"
} else := "Remove it with its bindings, unless it is used outside of the repository."

use := "none" if {
	count(uses.others) == 0
} else := "units" if {
	count(uses.in_other_units) > 0
} else := "renamed" if {
	count(uses.renamed) > 0
} else := "text" if {
	count(uses.in_text) > count(uses.in_fields)
} else := "field" if {
	count(uses.in_fields) > 0
} else := "template" if {
	count(uses.in_template) > 0
} else := "name"

uses_found["none"] := "nothing in the repository uses it" if {
	count(unread) == 0
} else := sprintf("nothing that was read uses it, and %s was not read (%s)", [unread[0].place, unread[0].reason])

# unread has the first file of which nothing was read: it can use the account.
unread := salint.unread()

uses_found["renamed"] := "nothing in the repository uses it"

uses_found["units"] := sprintf("only other units use it (%s)", [using])

using := uses.other_units[0] if {
	count(uses.other_units) == 1
} else := sprintf("%s and %d more", [uses.other_units[0], count(uses.other_units) - 1])

uses_found["text"] := sprintf("only text references it, at %s", [place([text | some text in uses.in_text; not text in uses.in_fields][0])])

uses_found["field"] := sprintf("only a field of unknown use names it, at %s", [place(uses.in_fields[0])])

uses_found["name"] := sprintf("nothing in the repository uses it (%s only names it)", [place(uses.in_name[0])])

uses_found["template"] := sprintf("only a templated name can refer to it, at %s", [place(uses.in_template[0])])

place(reference) := sprintf("%s:%d", [reference.file, reference.line])

granted := sort({helpers.titled(binding.role.kind, "", binding.role.name) | some binding in account.bindings})

pointing(finding) := object.union(finding, {"related": [related |
	some binding in array.slice(account.bindings, 0, 5)
	related := {
		"ref": binding.ref,
		"path": ["roleRef"],
		"message": sprintf("grants it %s", [helpers.titled(binding.role.kind, "", binding.role.name)]),
	}
]})
