# Accounts and Roles that operators create for objects of the repository.
package salint.helpers.accounts

import data.salint.helpers

# makers lists the kinds for whose objects an operator creates accounts, named after the object: `traces-collector` for
# an OpenTelemetryCollector `traces` (opentelemetry-operator, internal/naming), `gitops-argocd-server` for an ArgoCD
# `gitops` (argocd-operator, getServiceAccountName), `metrics-sa` for a Grafana (grafana-operator,
# controllers/resources), `events-kafka` for a Kafka (strimzi, api's …Resources), the name of the RayCluster itself
# (kuberay, BuildServiceAccount), `metrics-prometheus` for a MonitoringStack (observability-operator, stackComponentReconcilers),
# and `sso-discovery-role` for a Keycloak (keycloak-operator, KeycloakDiscoveryService…). Those with `names` create what begins with these
# names, in the namespace into which they install: ThanosQuerier (observability-operator, thanosComponentReconcilers), TektonConfig (tektoncd/operator), CertManager (cert-manager-operator), KnativeServing and KnativeEventing (knative/operator).
makers := [
	{"group": "opentelemetry.io", "kind": "OpenTelemetryCollector"},
	{"group": "opentelemetry.io", "kind": "TargetAllocator"},
	{"group": "argoproj.io", "kind": "ArgoCD"},
	{"group": "grafana.integreatly.org", "kind": "Grafana"},
	{"group": "kafka.strimzi.io", "kind": "Kafka"},
	{"group": "kafka.strimzi.io", "kind": "KafkaConnect"},
	{"group": "kafka.strimzi.io", "kind": "KafkaBridge"},
	{"group": "kafka.strimzi.io", "kind": "KafkaMirrorMaker2"},
	{"group": "kafka.strimzi.io", "kind": "KafkaMirrorMaker"},
	{"group": "ray.io", "kind": "RayCluster"},
	{"group": "monitoring.rhobs", "kind": "MonitoringStack"},
	{"group": "monitoring.rhobs", "kind": "ThanosQuerier", "names": ["thanos-querier-"]},
	{"group": "k8s.keycloak.org", "kind": "Keycloak"},
	{"group": "keycloak.org", "kind": "Keycloak"},
	{"group": "operator.tekton.dev", "kind": "TektonConfig", "names": ["tekton-", "pipelines-as-code"], "namespaces": ["tekton-pipelines", "openshift-pipelines"]},
	{"group": "operator.openshift.io", "kind": "CertManager", "names": ["cert-manager"], "namespaces": ["cert-manager"]},
	{"group": "operator.knative.dev", "kind": "KnativeServing", "names": ["controller", "activator", "autoscaler", "webhook", "knative-", "kourier", "net-"]},
	{"group": "operator.knative.dev", "kind": "KnativeEventing", "names": ["eventing-", "pingsource-", "imc-", "knative-", "mt-broker-", "kafka-"]},
]

# made is true if an operator can create the account for an object of the repository. Only the beginning of the name counts,
# because the rest differs between versions of the operator.
made(name, namespace) if {
	some kind in makers
	some maker in salint.anywhere({"kind": kind.kind, "group": kind.group})
	reaches(helpers.namespace(maker.resource), namespace)
	called_after(name, helpers.name(maker.resource))
}

made(name, namespace) if {
	some kind in makers
	some beginning in object.get(kind, "names", [])
	startswith(name, beginning)
	some maker in salint.anywhere({"kind": kind.kind, "group": kind.group})
	namespace in installed_into(kind, maker.resource)
}

# made_role is the same for a Role; the namespace is that of its binding.
made_role(name, namespace) if made(name, namespace)

made_role(name, namespace) if created("roles", name, namespace)

# made_cluster_role is true for the ClusterRoles of `creators` in the settings.
made_cluster_role(name) if {
	some kind in salint.configured_creators()
	some pattern in kind.cluster_roles
	some maker in salint.anywhere({"kind": kind.kind, "group": kind.group})
	follows(pattern, name, maker.resource)
}

made(name, namespace) if created("accounts", name, namespace)

# created is true for what an operator creates as `creators` in the settings states it, in their namespace or in that of an object.
created(field, name, namespace) if {
	some kind in salint.configured_creators()
	some pattern in kind[field]
	some maker in salint.anywhere({"kind": kind.kind, "group": kind.group})
	reaches(created_in(kind, maker.resource), namespace)
	follows(pattern, name, maker.resource)
}

created_in(kind, _) := kind.namespace if kind.namespace != ""

created_in(kind, resource) := helpers.namespace(resource) if kind.namespace == ""

# follows is true if a name can be that of a pattern, in which {name} and {namespace} are those of an object, and an asterisk is any rest.
follows(pattern, name, resource) if {
	contains(pattern, "{name}")
	helpers.placeholder(helpers.name(resource))
	name != ""
}

follows(pattern, name, resource) if {
	filled := replace(replace(pattern, "{name}", helpers.name(resource)), "{namespace}", helpers.namespace(resource))
	same_or_begins(filled, name)
}

same_or_begins(filled, name) if filled == name

same_or_begins(filled, name) if {
	endswith(filled, "*")
	startswith(name, trim_suffix(filled, "*"))
}

# installed_into returns the namespaces into which an operator installs for an object: the usual ones, the one that the object names, or its own.
installed_into(kind, resource) := {target | target := resource.spec.targetNamespace} if {
	resource.spec.targetNamespace
} else := {target | some target in kind.namespaces} if {
	kind.namespaces
} else := {helpers.namespace(resource)}

called_after(name, maker) if name == maker

called_after(name, maker) if startswith(name, sprintf("%s-", [maker]))

called_after(_, maker) if helpers.placeholder(maker)

# reaches is true if two namespaces can be the same one.
reaches(one, other) if unknown_or(one, other)

reaches(_, other) if helpers.open_namespace(other)
