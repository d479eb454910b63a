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
import data.salint.lib.olm
import data.salint.lib.rbac

# The mentions come last: they are looked for in every byte of the repository.
report contains finding if {
	name := lib.name(input.resource)
	name != ""
	not lib.templated(name)
	count(bindings) > 0
	not platform_role
	not named
	installer
	not wanted
	not used
	finding := pointing(lib.with_severity(
		lib.finding(["metadata", "name"], message),
		severity,
	))
}

# others are the places that name the account, or may, besides what belongs to it.
others := [mention |
	some mention in salint.mentions({"namespace": subject.namespace, "name": subject.name})
	not of_its_own(mention)
]

# in_text is where a file names the account that is no manifest, and in_template where the name is filled in later.
in_text := [mention | some mention in others; not mention.template; is_text(mention)]

in_template := [mention | some mention in others; mention.template]

is_text(mention) if {
	mention.ref == ""
	mention.what == ""
	mention.file != lib.file(salint.ref(input.resource))
	not regex.match(`\.(ya?ml|json)$`, mention.file)
}

subject := {
	"kind": "ServiceAccount",
	"namespace": lib.namespace(input.resource),
	"name": lib.name(input.resource),
}

# bindings are those that name the account, not those of a group it is in.
bindings := [binding |
	some binding in salint.bindings_of(subject)
	binding.via == ""
]

platform_role if {
	some binding in bindings
	startswith(binding.role.name, "system:")
}

rules := [rule |
	some binding in bindings
	binding.role_ref != ""
	some rule in salint.role_rules(binding.role_ref)
]

installer if {
	updates_finalizers
	creates_crds
}

installer if {
	cluster_admin
	not subject.name in olm.accounts_everywhere
	installs_beside
}

installer if {
	cluster_admin
	contains(lower(subject.name), "install")
	installs_here
}

# updates_finalizers wants the resource by its name. Nobody but an installer has it; a wildcard has everything.
updates_finalizers if {
	some rule in rules
	rbac.has(rule.apiGroups, {olm.group})
	"clusterextensions/finalizers" in rule.resources
	rbac.has(rule.verbs, {"update"})
}

creates_crds if {
	some rule in rules
	rbac.has(rule.apiGroups, {"apiextensions.k8s.io"})
	rbac.has(rule.resources, {"customresourcedefinitions"})
	rbac.has(rule.verbs, {"create"})
}

creates_crds if cluster_admin

cluster_admin if {
	some binding in bindings
	binding.kind == "ClusterRoleBinding"
	rbac.grants_everything(binding.role.name, binding.role_ref)
}

# named tells that an extension of the unit names the account, which is a use of it. Nearly all installers are used so, and
# this says it without reading every extension for each of them.
named if {
	some entry in salint.find(olm.extension_query)
	entry.resource.spec.serviceAccount.name == subject.name
	entry.resource.spec.namespace == subject.namespace
}

installs_beside if {
	some entry in beside
	salint.extension(entry.resource).namespace == subject.namespace
}

# beside are the extensions of the unit. Plain files may be those of several clusters: there the nearest count.
beside := extensions if input.unit.kind != "plain"

beside := {entry | some entry in extensions; entry.ref in nearest} if input.unit.kind == "plain"

extensions := salint.find(olm.extension_query)

nearest := salint.nearest([own_ref], [entry.ref | some entry in extensions])[own_ref]

own_ref := salint.ref(input.resource)

# installs_here looks through the whole repository.
installs_here if {
	subject.namespace != ""
	some entry in salint.anywhere(olm.extension_query)
	salint.extension(entry.resource).namespace == subject.namespace
}

# wanted tells that an extension of the namespace is without an account that OLM could act as: it names none where one is
# required, or one that is not there, or one that is filled in later.
wanted if {
	some entry in salint.anywhere(olm.extension_query)
	extension := salint.extension(entry.resource)
	extension.namespace == subject.namespace
	needs_account(extension)
}

needs_account(extension) if extension.account.state == "templated"

needs_account(extension) if {
	input.model == "required"
	extension.account.state in {"absent", "null", "empty", "empty-name"}
}

needs_account(extension) if {
	lib.identities_count
	extension.account.state == "named"
	not extension.account.name in (olm.accounts_everywhere | {olm.placeholder})
	count(salint.anywhere({
		"kind": "ServiceAccount", "group": "",
		"namespace": extension.namespace, "name": extension.account.name,
	})) == 0
}

used if {
	some mention in others
	not mention.template
	not is_text(mention)
}

of_its_own(mention) if mention.ref == salint.ref(input.resource)

of_its_own(mention) if mention.ref in {ref | some binding in bindings; some ref in {binding.ref, binding.role_ref}; ref != ""}

# Other objects may be named like the account. Naming one is not using the other.
of_its_own(mention) if regex.match(`^[^ ]* (metadata|roleRef)\.name$`, mention.what)

# A kustomization lists the files that the account and its bindings are in.
of_its_own(mention) if regex.match(`^(Kustomization|Component) (resources|bases)\[`, mention.what)

severity := "note" if count(in_text) > 0

severity := "error" if {
	count(in_text) == 0
	cluster_admin
}

severity := "warning" if {
	count(in_text) == 0
	not cluster_admin
}

message := sprintf(
	concat(" ", [
		"%s has the permissions of an installer (%s), and %s.",
		"Whoever may create pods in %s has them too. Remove the account with its bindings, unless something outside of the",
		"repository uses it.",
	]),
	[lib.sentence(lib.called(input.resource)), lib.listed(granted), use, where],
)

use := "nothing in the repository uses it" if count(others) == 0

use := sprintf("only text names it in the repository, at %s", [place(in_text[0])]) if count(in_text) > 0

use := sprintf(
	"nothing in the repository uses it, unless the name is meant that is filled in later at %s",
	[place(in_template[0])],
) if {
	count(in_text) == 0
	count(in_template) > 0
}

place(mention) := sprintf("%s:%d", [mention.file, mention.line])

granted := sort({text |
	some binding in bindings
	text := lib.titled(binding.role.kind, "", binding.role.name)
})

where := sprintf("namespace %s", [subject.namespace]) if subject.namespace != ""

where := "its namespace" if subject.namespace == ""

pointing(finding) := object.union(finding, {"related": [related |
	some binding in array.slice(bindings, 0, 5)
	related := {
		"ref": binding.ref,
		"path": ["roleRef"],
		"message": sprintf("grants it %s", [lib.titled(binding.role.kind, "", binding.role.name)]),
	}
]})
