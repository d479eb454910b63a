# The accounts that a deployment unit creates beside one that a manifest names.
package salint.helpers.accounts

import data.salint.helpers

# siblings lists the accounts that the deployment unit creates in the namespace, without those that exist in every
# namespace. If the namespace is unknown, these are the accounts without a namespace that are applied together with the object.
siblings(namespace) := [account |
	some account in salint.find({"kind": "ServiceAccount", "group": "", "namespace": namespace})
	helpers.namespace(account.resource) == namespace
	not account.resource.metadata.name in everywhere
] if {
	not helpers.open_namespace(namespace)
} else := [account |
	some account in salint.find({"kind": "ServiceAccount", "group": ""})
	helpers.open_namespace(helpers.namespace(account.resource))
	not account.resource.metadata.name in everywhere
	applied_together(account.ref)
]

# Plain files of other folders can be applied to other namespaces.
applied_together(_) if input.unit.kind != "plain"

applied_together(ref) if {
	input.unit.kind == "plain"
	helpers.folder(helpers.file(ref)) == helpers.folder(helpers.file(salint.ref(input.resource)))
}

# listed_siblings returns the accounts of a namespace as a list for a message.
listed_siblings(namespace) := helpers.listed(sort({account.resource.metadata.name | some account in siblings(namespace)}))
