# Which service accounts exist. An account that is not in the repository can still exist: a controller or an operator
# creates it, or another repository contains it. So an account is missing only if the deployment unit creates other
# accounts in its namespace, and contains nothing that could create this one.
package salint.helpers.accounts

import data.salint.helpers

# everywhere lists the accounts that a controller creates in every namespace, the last three on OpenShift. Little in a repository
# shows which cluster it is for, so they count everywhere: `deployer` is a name that other clusters use as well.
everywhere := {"default", "builder", "deployer", "pipeline"}

# missing(name, namespace) is true if nothing in the repository creates this account, and the deployment unit creates other
# accounts in the namespace.
missing(name, namespace) if {
	beside_others(name, namespace)
	not brought(namespace)
}

# missing_for_operators is the same for the account of an OperatorGroup, as which OLM installs what Subscriptions of the namespace name.
missing_for_operators(name, namespace) if {
	beside_others(name, namespace)
	count({ref | some ref in salint.bringers(namespace)} - subscriptions(namespace)) == 0
}

subscriptions(namespace) := {found.ref | some found in salint.anywhere({"kind": "Subscription", "group": "operators.coreos.com", "namespace": namespace})}

beside_others(name, namespace) if {
	may_be_judged(name, namespace)
	some sibling in siblings(namespace)
	sibling.resource.metadata.name != name
	not made(name, namespace)
}

# Objects without a namespace get the same one when they are applied together, whichever that is. An account of that name in any
# namespace, and an installer into any, counts.
missing(name, namespace) if {
	missing_beside(name, namespace)
	count(salint.anywhere({"kind": "ServiceAccount", "group": "", "name": name})) == 0
}

# missing_beside is the same, but does not count accounts of other deployment units.
missing_beside(name, namespace) if {
	helpers.open_namespace(namespace)
	may_be_called_missing(name)
	count(salint.find({"kind": "ServiceAccount", "group": "", "name": name})) == 0
	count(siblings(namespace)) > 0
	count(salint.bringers("*")) == 0
	not templated_account
	not made(name, namespace)
	count(salint.created_in_texts({"namespace": "", "name": name})) == 0
}

may_be_called_missing(name) if {
	name != ""
	not name in everywhere
	not helpers.placeholder(name)
	whole
}

# missing_for_token is true for the account of a token Secret that is missing, or that the chart of the Secret does not create: a chart is
# installed into a separate namespace more often than beside the account of another unit.
missing_for_token(name, namespace) if missing(name, namespace)

missing_for_token(name, namespace) if {
	input.unit.kind == "chart"
	not missing(name, namespace)
	missing_beside(name, namespace)
}

templated_account if {
	some account in salint.anywhere({"kind": "ServiceAccount", "group": ""})
	helpers.placeholder(helpers.name(account.resource))
}

# unseen is the same, but does not require other accounts in the namespace. Another repository can create such an account.
unseen(name, namespace) if {
	may_be_judged(name, namespace)
	not brought(namespace)
	not made(name, namespace)
}

may_be_judged(name, namespace) if {
	may_be_called_missing(name)
	not helpers.open_namespace(namespace)
	not helpers.placeholder(namespace)
	not of_platform(namespace)
	not [namespace, name] in of_olm
	not may_exist(name, namespace)
	count(salint.created_in_texts({"namespace": namespace, "name": name})) == 0
}

# whole is true if the deployment unit is completely known: nothing is fetched, and nothing was skipped.
whole if {
	helpers.whole
	count(object.get(input.unit, "problems", [])) == 0
}

# of_platform is true for the namespaces whose accounts the cluster creates.
of_platform(namespace) if startswith(namespace, "kube-")

of_platform(namespace) if startswith(namespace, "openshift-")

of_platform("openshift")

# of_olm lists the accounts of OLM v1 itself, as in the manifests of operator-controller. of_platform covers those of
# OpenShift.
of_olm := {
	["olmv1-system", "operator-controller-controller-manager"],
	["olmv1-system", "catalogd-controller-manager"],
}

# may_exist is true if a manifest creates the account, or can create it once its templates are filled in.
may_exist(name, namespace) if {
	some account in salint.anywhere({"kind": "ServiceAccount", "group": "", "name": name})
	unknown_or(helpers.namespace(account.resource), namespace)
}

may_exist(_, namespace) if {
	some account in salint.anywhere({"kind": "ServiceAccount", "group": "", "namespace": namespace})
	helpers.placeholder(helpers.name(account.resource))
}

unknown_or(namespace, _) if helpers.open_namespace(namespace)

unknown_or(namespace, _) if helpers.placeholder(namespace)

unknown_or(namespace, namespace)

# brought is true if an operator or a chart can create accounts in the namespace that no manifest contains.
brought(namespace) if count(salint.bringers(namespace)) > 0

# titled returns the name of an account in messages.
titled(name, namespace) := helpers.titled("ServiceAccount", namespace, name)

# usable_by_pods follows a sentence about the permissions of an account. internal/lint/fixing says the same in prune.go.
usable_by_pods := "Anyone creating pods in its namespace can use it."
