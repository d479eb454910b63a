# The accounts that a deployment unit creates beside one that a manifest names.
package salint.lib.accounts

import data.salint.lib

# siblings lists the accounts that the deployment unit creates in the namespace, without those that exist in every
# namespace. If the namespace is unknown, these are the accounts without a namespace that are applied together with the object.
siblings(namespace) := [account |
	some account in salint.find({"kind": "ServiceAccount", "group": "", "namespace": namespace})
	lib.namespace(account.resource) == namespace
	not account.resource.metadata.name in everywhere
] if {
	not lib.open_namespace(namespace)
} else := [account |
	some account in salint.find({"kind": "ServiceAccount", "group": ""})
	lib.open_namespace(lib.namespace(account.resource))
	not account.resource.metadata.name in everywhere
	applied_together(account.ref)
]

# Plain files of other folders can be applied to other namespaces.
applied_together(_) if input.unit.kind != "plain"

applied_together(ref) if {
	input.unit.kind == "plain"
	lib.folder(lib.file(ref)) == lib.folder(lib.file(salint.ref(input.resource)))
}

# listed_siblings returns the accounts of a namespace as a list for a message.
listed_siblings(namespace) := lib.listed(sort({account.resource.metadata.name | some account in siblings(namespace)}))
