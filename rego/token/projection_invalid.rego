# METADATA
# title: A projected token that the API server refuses
# description: |
#   A `serviceAccountToken` in a projected volume needs a `path` of its own in the volume, and an `expirationSeconds`
#   from 600 (ten minutes) to 4294967296; without one it is 3600. The API server refuses a pod in which it is
#   otherwise. The Deployment or Job around the pod is refused as well, for its template is checked in the same way; a
#   Knative Service or a kind of another operator is accepted, and its pods fail.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/volume/
#     description: The fields of a volume
# custom:
#   severity: error
#   kinds: [workloads]
#   words: [serviceAccountToken]
#   scope: object
#   fix: none
#   examples:
#     - bad: |
#         apiVersion: v1
#         kind: Pod
#         metadata:
#           name: checkout
#         spec:
#           containers:
#             - name: main
#               image: registry.example.com/checkout:1.0.0
#           volumes:
#             - name: token
#               projected:
#                 sources:
#                   - serviceAccountToken:
#                       expirationSeconds: 60
#                       path: token
#     - good: |
#         apiVersion: v1
#         kind: Pod
#         metadata:
#           name: checkout
#         spec:
#           containers:
#             - name: main
#               image: registry.example.com/checkout:1.0.0
#           volumes:
#             - name: token
#               projected:
#                 sources:
#                   - serviceAccountToken:
#                       expirationSeconds: 600
#                       path: token
package salint.rules.token.projection_invalid

import data.salint.lib
import data.salint.lib.pods

projections contains projection if {
	some pod in salint.pods(input.resource)
	some i, volume in pod.spec.volumes
	some j, source in volume.projected.sources
	is_object(source.serviceAccountToken)
	projection := {
		"token": source.serviceAccountToken,
		"path": array.concat(pod.path, ["volumes", i, "projected", "sources", j, "serviceAccountToken"]),
		"volume": volume,
		"sources": array.concat(pod.path, ["volumes", i, "projected", "sources"]),
		"index": j,
	}
}

report contains finding if {
	some projection in projections
	seconds := projection.token.expirationSeconds
	is_number(seconds)
	wrong := out_of_bounds(seconds)
	finding := lib.finding(array.concat(projection.path, ["expirationSeconds"]), sprintf(
		"%s asks for a token of %d seconds, and the API server refuses it: %s.",
		[pods.called(input.resource), seconds, wrong],
	))
}

out_of_bounds(seconds) := "600 is the least" if seconds < 600

out_of_bounds(seconds) := "4294967296 is the most" if seconds > 4294967296

report contains finding if {
	some projection in projections
	object.get(projection.token, "path", "") in {"", null}
	finding := lib.finding(projection.path, sprintf(
		"%s projects a token without a path: the API server refuses it, for the file in the volume must have a name.",
		[pods.called(input.resource)],
	))
}

report contains finding if {
	some projection in projections
	path := projection.token.path
	path != ""
	others := [other |
		some k, source in projection.volume.projected.sources
		k < projection.index
		some other in paths(source)
		other == path
	]
	count(others) > 0
	finding := lib.finding(array.concat(projection.path, ["path"]), sprintf(
		"%s projects the token to %q, where another source of the volume writes already: the API server refuses it.",
		[pods.called(input.resource), path],
	))
}

# paths are the files that a source of a projected volume is known to write.
paths(source) := array.concat(
	[path | path := source.serviceAccountToken.path],
	[item.path |
		some kind in ["secret", "configMap", "downwardAPI"]
		some item in source[kind].items
	],
)
