# Which service accounts there are. An account that is not in the repository may still exist: a controller made it, an
# operator brings it, another repository holds it. So one is called missing only where the manifests that are applied
# together create other accounts in its namespace, and nothing is seen that could bring it.
package salint.lib.accounts

import data.salint.lib

# everywhere are the accounts that a controller creates in every namespace.
everywhere := {"default", "builder", "deployer", "pipeline"}

# missing tells that nobody creates an account, as far as the repository can tell. It is said of a name and a namespace.
missing(name, namespace) if {
	may_be_judged(name, namespace)
	some sibling in siblings(namespace)
	sibling.resource.metadata.name != name
	not brought(namespace)
}

# unseen tells the same without others in the namespace: the account may well be created elsewhere.
unseen(name, namespace) if {
	may_be_judged(name, namespace)
	not brought(namespace)
}

may_be_judged(name, namespace) if {
	name != ""
	namespace != ""
	not name in everywhere
	not lib.placeholder(name)
	not lib.placeholder(namespace)
	not of_platform(namespace)
	whole
	not may_exist(name, namespace)
}

# whole tells that everything which is applied together is known: nothing is fetched, and nothing was left out.
whole if {
	lib.as_written
	count(object.get(input.unit, "problems", [])) == 0
}

# of_platform tells of the namespaces whose accounts the cluster brings.
of_platform(namespace) if startswith(namespace, "kube-")

of_platform(namespace) if startswith(namespace, "openshift-")

of_platform("openshift")

# may_exist tells that some manifest creates the account, or may do so once names are filled in.
may_exist(name, namespace) if {
	some account in salint.anywhere({"kind": "ServiceAccount", "group": "", "name": name})
	unknown_or(lib.namespace(account.resource), namespace)
}

may_exist(_, namespace) if {
	some account in salint.anywhere({"kind": "ServiceAccount", "group": "", "namespace": namespace})
	lib.placeholder(lib.name(account.resource))
}

unknown_or("", _)

unknown_or(namespace, _) if lib.placeholder(namespace)

unknown_or(namespace, namespace)

# siblings are the accounts that are created in the namespace by what is applied together, those aside that are there anyway.
siblings(namespace) := [account |
	some account in salint.find({"kind": "ServiceAccount", "group": "", "namespace": namespace})
	lib.namespace(account.resource) == namespace
	not account.resource.metadata.name in everywhere
]

# brought tells that something may bring accounts to the namespace which no manifest shows: an operator or a chart.
brought(namespace) if count(salint.bringers(namespace)) > 0

# titled is how messages call an account.
titled(name, namespace) := lib.titled("ServiceAccount", namespace, name)

# listed_siblings names the accounts of a namespace for a message.
listed_siblings(namespace) := lib.listed(sort({account.resource.metadata.name | some account in siblings(namespace)}))
