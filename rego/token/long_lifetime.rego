# METADATA
# title: A projected token lives longer than a day
# description: |
#   The kubelet renews a projected token when 80 percent of its lifetime have passed, and after 24 hours at the latest, so a longer lifetime gives
#   the program nothing. A copy of the token stays valid until it expires, unless the pod is deleted before, and systems that verify tokens
#   without asking the API server do not see that the pod is gone.
#
#   An API server with `--service-account-max-token-expiration`, as that of many managed clusters, shortens the lifetime.
# related_resources:
#   - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/#launch-a-pod-using-service-account-token-projection
#     description: The lifetime of projected tokens
# custom:
#   severity: note
#   kinds: [workloads]
#   words: [expirationSeconds]
#   fix: none
package salint.rules.token.long_lifetime

import data.salint.helpers.pods
import data.salint.lib

# https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/kubelet/token/token_manager.go (maxTTL)
day := 86400

report contains finding if {
	some pod in salint.pods(input.resource)
	some i, volume in pod.spec.volumes
	some j, source in volume.projected.sources
	seconds := source.serviceAccountToken.expirationSeconds
	is_number(seconds)
	seconds > day
	seconds <= 4294967296 # token/projection-invalid
	finding := lib.finding(
		array.concat(pod.path, ["volumes", i, "projected", "sources", j, "serviceAccountToken", "expirationSeconds"]),
		sprintf(
			"%s projects a token that lives %s. A stolen copy can be valid as long. %s",
			[
				pods.called(input.resource), lasting(seconds),
				"Set expirationSeconds to an hour (3600): the kubelet renews the token before it expires.",
			],
		),
	)
}

lasting(seconds) := sprintf("%d days", [floor(seconds / day)]) if {
	seconds >= 2 * day
} else := sprintf("%d hours", [floor(seconds / 3600)])
