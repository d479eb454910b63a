# METADATA
# title: The API server rejects a projected token
# description: |
#   A `serviceAccountToken` in a projected volume needs a `path` that stays inside the volume: it is relative, has no
#   part `..`, and does not begin with `..`. An `expirationSeconds` is a whole number from 600 (ten minutes) to
#   4294967296; the default is 3600. The API server rejects a pod with other values. It also rejects the Deployment or
#   Job around the pod, because it validates their template in the same way. A Knative Service, or a kind of another
#   operator, is accepted, and its pods fail.
#
#   A second source of the volume at the path of a token is a warning. The API server accepts such a pod, because it
#   compares the paths of the other sources only with one another, and the kubelet writes one file over the other.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/volume/
#     description: The fields of a volume
# custom:
#   severity: error
#   kinds: [workloads]
#   words: [serviceAccountToken]
#   fix: none
package salint.rules.token.projection_invalid

import data.salint.helpers
import data.salint.helpers.pods
import data.salint.helpers.token.projection_values as values
import data.salint.lib

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
	problem := values.problem_of_seconds(projection.token.expirationSeconds)
	finding := lib.case(
		lib.finding(array.concat(projection.path, ["expirationSeconds"]), sprintf(
			"%s projects a token with expirationSeconds %s. %s %s",
			[pods.called(input.resource), json.marshal(projection.token.expirationSeconds), rejected, values.correct_seconds[problem]],
		)),
		problem,
	)
}

rejected := "The API server rejects the pod."

report contains finding if {
	some projection in projections
	object.get(projection.token, "path", "") in {"", null}
	finding := lib.finding(projection.path, sprintf(
		"%s projects a token without a path. %s Set path to the name of the file in the volume.",
		[pods.called(input.resource), rejected],
	))
}

report contains finding if {
	some projection in projections
	path := projection.token.path
	not helpers.templated(path)
	problem := values.problem_of_path(path)
	finding := lib.case(
		lib.finding(array.concat(projection.path, ["path"]), sprintf(
			"%s projects a token to %q. %s %s",
			[pods.called(input.resource), path, rejected, values.correct_path[problem]],
		)),
		problem,
	)
}

report contains finding if {
	some at, writes in written
	count(writes) > 1
	some write in writes
	write.is_token
	last := max({[w.source, w.path] | some w in writes})
	finding := lib.with_severity(
		lib.case(
			lib.finding(array.concat(at.sources, last[1]), sprintf(
				"%s projects %d sources of a volume to %q, including a token. The last one overwrites the others. Set different paths.",
				[pods.called(input.resource), count(writes), at.to],
			)),
			"overwritten",
		),
		"warning",
	)
}

# written holds the known sources of each file in a projected volume.
written[at] contains write if {
	some pod in salint.pods(input.resource)
	some i, volume in pod.spec.volumes
	some j, source in volume.projected.sources
	some field in fields(source)
	to := object.get(source, field, "")
	is_string(to)
	not to == ""
	not helpers.templated(to)
	at := {"sources": array.concat(pod.path, ["volumes", i, "projected", "sources"]), "to": to}
	write := {"source": j, "path": array.concat([j], field), "is_token": field[0] == "serviceAccountToken"}
}

# fields are the paths to the fields of a source of a projected volume that name the files it writes.
fields(source) := array.concat(
	[[kind, "path"] | some kind in ["serviceAccountToken", "clusterTrustBundle"]; source[kind]],
	[[kind, "items", k, "path"] | some kind in ["secret", "configMap", "downwardAPI"]; some k, _ in source[kind].items],
)
