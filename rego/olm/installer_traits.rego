# The traits by which input.resource, a ServiceAccount, is an installer, and the extensions that can refer to it.
package salint.helpers.olm.installer_traits

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.helpers.rbac

subject := {
	"kind": "ServiceAccount",
	"namespace": helpers.namespace(input.resource),
	"name": helpers.name(input.resource),
}

# bindings lists the bindings that name the account, without those of its groups.
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

# updates_finalizers requires the resource by its name, which only installers have. A wildcard does not count.
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

# used_by_extension is true if an extension of the deployment unit names the account. Nearly all installers are used
# like this.
used_by_extension if {
	some entry in salint.find(object.union(olm.extension_query, {"account": subject.name}))
	entry.resource.spec.serviceAccount.name == subject.name
	entry.resource.spec.namespace == subject.namespace
	own_ref in meant_by(entry.ref)
}

# meant_by lists the accounts of the name that an extension can mean: among plain files, only the nearest.
meant_by(_) := {own_ref} if input.unit.kind != "plain"

meant_by(extension) := salint.nearest([extension], namesakes)[extension] if input.unit.kind == "plain"

namesakes := [entry.ref |
	some entry in salint.find({"kind": "ServiceAccount", "group": "", "namespace": subject.namespace, "name": subject.name})
]

installs_beside if {
	some entry in installed_here
	entry.ref in beside
}

# installed_here lists the extensions of the deployment unit that are installed in the namespace of the account.
installed_here := salint.find(object.union(olm.extension_query, {"installed_in": subject.namespace}))

# beside lists those of them that are nearest to the account: plain files can belong to several clusters.
beside := {entry.ref | some entry in installed_here} if {
	input.unit.kind != "plain"
} else := salint.nearest_of(olm.extension_query)

own_ref := salint.ref(input.resource)

# installs_here searches the whole repository.
installs_here if {
	subject.namespace != ""
	count(salint.anywhere(object.union(olm.extension_query, {"installed_in": subject.namespace}))) > 0
}

# wanted is true if an extension of the namespace lacks an account that OLM can act as: it names no account although one is
# required, an account that does not exist, or one with a template. Hundreds of extensions can be installed in a namespace, so they are
# selected by the state of their account.
wanted if {
	some state in wanting_states
	count(extensions_with(state)) > 0
}

wanted if {
	helpers.identities_may_count
	some entry in extensions_with("named")
	extension := salint.extension(entry.resource)
	not extension.account.name in (olm.accounts_everywhere | {olm.placeholder})
	count(salint.anywhere({
		"kind": "ServiceAccount", "group": "",
		"namespace": extension.namespace, "name": extension.account.name,
	})) == 0
}

wanting_states contains "templated"

wanting_states contains state if {
	input.model in {"required", "unknown"}
	some state in {"absent", "null", "empty", "empty-name"}
}

# extensions_with lists the extensions of the repository that are installed in the namespace, by the state of their account.
extensions_with(state) := salint.anywhere(object.union(olm.extension_query, {
	"installed_in": subject.namespace,
	"account_state": state,
}))
