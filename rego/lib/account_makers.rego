# Accounts that operators create for objects of the repository.
package salint.lib.accounts

import data.salint.lib

# makers lists the kinds for whose objects an operator creates accounts, named after the object: `traces-collector` for
# an OpenTelemetryCollector `traces` (opentelemetry-operator, internal/naming), `gitops-argocd-server` for an ArgoCD
# `gitops` (argocd-operator, getServiceAccountName), `metrics-sa` for a Grafana (grafana-operator,
# controllers/resources), `events-kafka` for a Kafka (strimzi, api's …Resources), and the name of the RayCluster itself
# (kuberay, BuildServiceAccount).
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

# made is true if an operator can create the account for an object of the repository. Only the beginning of the name counts,
# because the rest differs between versions of the operator.
made(name, namespace) if {
	some kind in makers
	some maker in salint.anywhere(kind)
	reaches(lib.namespace(maker.resource), namespace)
	called_after(name, lib.name(maker.resource))
}

called_after(name, name)

called_after(name, maker) if startswith(name, sprintf("%s-", [maker]))

called_after(_, maker) if lib.placeholder(maker)

# reaches is true if two namespaces can be the same one.
reaches(one, other) if unknown_or(one, other)

reaches(_, namespace) if lib.open_namespace(namespace)
