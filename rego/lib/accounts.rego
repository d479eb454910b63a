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
	not made(name, namespace)
}

# unseen tells the same without others in the namespace: the account may well be created elsewhere.
unseen(name, namespace) if {
	may_be_judged(name, namespace)
	not brought(namespace)
	not made(name, namespace)
}

may_be_judged(name, namespace) if {
	name != ""
	not lib.open_namespace(namespace)
	not name in everywhere
	not lib.placeholder(name)
	not lib.placeholder(namespace)
	not of_platform(namespace)
	not [namespace, name] in of_olm
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

# of_olm are the accounts of OLM v1 itself, by the manifests of operator-controller; those of OpenShift are the platform's.
of_olm := {
	["olmv1-system", "operator-controller-controller-manager"],
	["olmv1-system", "catalogd-controller-manager"],
}

# may_exist tells that some manifest creates the account, or may do so once names are filled in.
may_exist(name, namespace) if {
	some account in salint.anywhere({"kind": "ServiceAccount", "group": "", "name": name})
	unknown_or(lib.namespace(account.resource), namespace)
}

may_exist(_, namespace) if {
	some account in salint.anywhere({"kind": "ServiceAccount", "group": "", "namespace": namespace})
	lib.placeholder(lib.name(account.resource))
}

unknown_or(namespace, _) if lib.open_namespace(namespace)

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

# makers are the kinds for whose objects an operator creates accounts, called after the object: `traces-collector` for an
# OpenTelemetryCollector `traces` (opentelemetry-operator, internal/naming), `gitops-argocd-server` for an ArgoCD `gitops`
# (argocd-operator, getServiceAccountName), `metrics-sa` for a Grafana (grafana-operator, controllers/resources), `events-kafka`
# for a Kafka (strimzi, api's …Resources), and the name of the RayCluster itself (kuberay, BuildServiceAccount).
makers := [
	{"group": "opentelemetry.io", "kind": "OpenTelemetryCollector"},
	{"group": "opentelemetry.io", "kind": "TargetAllocator"},
	{"group": "argoproj.io", "kind": "ArgoCD"},
	{"group": "grafana.integreatly.org", "kind": "Grafana"},
	{"group": "kafka.strimzi.io", "kind": "Kafka"},
	{"group": "kafka.strimzi.io", "kind": "KafkaConnect"},
	{"group": "kafka.strimzi.io", "kind": "KafkaBridge"},
	{"group": "kafka.strimzi.io", "kind": "KafkaMirrorMaker2"},
	{"group": "ray.io", "kind": "RayCluster"},
]

# made tells that an operator may create the account for an object of the repository, by the beginning of its name: what
# follows it differs from version to version.
made(name, namespace) if {
	some kind in makers
	some maker in salint.anywhere(kind)
	unknown_or(lib.namespace(maker.resource), namespace)
	called_after(name, lib.name(maker.resource))
}

called_after(name, name)

called_after(name, maker) if startswith(name, sprintf("%s-", [maker]))

called_after(_, maker) if lib.placeholder(maker)

# titled is how messages call an account.
titled(name, namespace) := lib.titled("ServiceAccount", namespace, name)

# listed_siblings names the accounts of a namespace for a message.
listed_siblings(namespace) := lib.listed(sort({account.resource.metadata.name | some account in siblings(namespace)}))
