# METADATA
# title: A pull Secret has a type that the kubelet ignores, or lacks the key of its type
# description: |
#   The kubelet reads credentials only from pull Secrets of the types `kubernetes.io/dockerconfigjson` and `kubernetes.io/dockercfg`. It ignores
#   one of another type, such as `Opaque`, which is the default, and pulls the image without credentials. The type of a Secret is immutable: it must
#   be created again.
#
#   The API server rejects a Secret of one of these types without its key, `.dockerconfigjson` or `.dockercfg`.
#
#   The Secret must be in the deployment unit, as a manifest, a SealedSecret, or an ExternalSecret. Nothing is reported if another object can create it
#   with another type.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/secret/#docker-config-secrets
#     description: The types of pull Secrets
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/credentialprovider/secrets/secrets.go
#     description: What the kubelet reads
# custom:
#   severity: warning
#   kinds: [workloads, ServiceAccount]
#   words: [imagePullSecrets]
#   skip_unless: [word-found]
#   reads: [secret_creators]
#   fix: none
package salint.rules.pod.pull_secret_unusable

import data.salint.helpers
import data.salint.helpers.pods
import data.salint.lib

report contains finding if {
	some reference in references
	source := source_of(reference)
	unusable(source)
	finding := lib.related(
		lib.finding(reference.path, sprintf("%s pulls images with Secret %s, whose type is %s, so the kubelet ignores it. %s", [
			holder, reference.name, type_of(source), "Create the Secret with the type kubernetes.io/dockerconfigjson.",
		])),
		source.ref, source.path, "the Secret is created here",
	)
}

report contains finding if {
	some reference in references
	source := source_of(reference)
	key := keys[source.type]
	some found in salint.find({"kind": "Secret", "group": ""})
	found.ref == source.ref
	every field in ["data", "stringData"] { not key in object.keys(object.get(found.resource, field, {})) }
	helpers.fields_as_written
	finding := lib.related(
		lib.case(
			lib.finding(reference.path, sprintf("%s pulls images with Secret %s, which the API server rejects: its type %s needs the key %s. Add the key.", [
				holder, reference.name, source.type, key,
			])),
			"key",
		),
		source.ref, source.path, "the Secret is created here",
	)
}

# Source: pkg/apis/core/validation/validation.go of Kubernetes 1.34 (ValidateSecret).
keys := {"kubernetes.io/dockerconfigjson": ".dockerconfigjson", "kubernetes.io/dockercfg": ".dockercfg"}

references := [reference |
	some reference in salint.secret_references(input.resource)
	reference.pulls
	not static
]

# source_of is the only object that creates the Secret of a reference.
source_of(reference) := sources[0] if {
	namespace := helpers.namespace(input.resource)
	sources := [source |
		some source in salint.secrets_like({"namespace": namespace, "name": reference.name})
		source.name == reference.name
		source.namespace == namespace
	]
	count(sources) == 1
}

static if {
	some pod in salint.pods(input.resource)
	pod.static
}

# unusable: without a type, these kinds create a Secret of the type Opaque.
unusable(source) if {
	not source.type in {"kubernetes.io/dockerconfigjson", "kubernetes.io/dockercfg", ""}
	not helpers.templated(source.type)
}

unusable(source) if {
	source.type == ""
	some kind, group in {"Secret": "", "SealedSecret": "bitnami.com"}
	some found in salint.find({"kind": kind, "group": group})
	found.ref == source.ref
	helpers.fields_as_written
}

type_of(source) := source.type if {
	source.type != ""
} else := "Opaque, the default"

holder := helpers.called(input.resource) if {
	input.resource.kind == "ServiceAccount"
} else := pods.called(input.resource)
