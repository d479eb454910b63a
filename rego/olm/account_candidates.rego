# The accounts of the repository that an extension can mean although they have another name or namespace in their manifests.
package salint.helpers.olm.account_candidates

import data.salint.helpers

may_be_meant(namesakes, _) if {
	some account in namesakes
	unknown(helpers.namespace(account.resource))
}

may_be_meant(namesakes, namespace) if {
	count(namesakes) > 0
	unknown(namespace)
}

may_be_meant(namesakes, namespace) if {
	some account in namesakes
	helpers.namespace(account.resource) == namespace
}

# templated_like lists the accounts whose templated names can become this one: the literal parts before and after the
# template agree. A name without literal parts can become any name, and counts only in the namespace of the extension.
templated_like(name, namespace) := [account |
	some account in salint.anywhere({"kind": "ServiceAccount", "group": "", "name_known": "false"})
	written := helpers.name(account.resource)
	literal := around(written)
	startswith(name, literal.before)
	endswith(name, literal.behind)
	distinctive(concat("", [literal.before, literal.behind]), helpers.namespace(account.resource), namespace)
]

# reached_by lists the accounts that a templated name can become: those of the same template, and those that have its literal
# parts.
reached_by(written) := [account |
	some account in salint.anywhere({"kind": "ServiceAccount", "group": ""})
	literal := around(written)
	startswith(helpers.name(account.resource), literal.before)
	endswith(helpers.name(account.resource), literal.behind)
]

# around is what stands before and behind the templates of a name.
around(written) := {
	"before": regex.replace(written, `(?s)(\$[{(]|\{\{|<<).*`, ""),
	"behind": regex.replace(written, `(?s).*([)}]|>>)`, ""),
}

distinctive(literal, _, _) if literal != ""

distinctive(_, namespace, wanted) if namespace == wanted

unknown(namespace) if helpers.open_namespace(namespace)

unknown(namespace) if helpers.templated(namespace)
