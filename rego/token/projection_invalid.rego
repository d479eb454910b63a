# METADATA
# title: A projected token that the API server refuses
# description: |
#   A `serviceAccountToken` in a projected volume needs a `path`, which stays inside the volume: it is relative, has no
#   part `..`, and does not begin with `..`. An `expirationSeconds` is a whole number from 600 (ten minutes) to
#   4294967296; without one it is 3600. The API server refuses a pod in which it is otherwise. The Deployment or Job
#   around the pod is refused as well, for its template is checked in the same way; a Knative Service or a kind of
#   another operator is accepted, and its pods fail.
#
#   A second source of the volume at the path of a token is a warning: the API server takes such a pod, for it compares
#   the paths of the other sources only with one another, and the kubelet writes one file over the other.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/volume/
#     description: The fields of a volume
# custom:
#   severity: error
#   kinds: [workloads]
#   words: [serviceAccountToken]
#   fix: none
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
	wrong := wrong_seconds(projection.token.expirationSeconds)
	finding := lib.finding(array.concat(projection.path, ["expirationSeconds"]), sprintf(
		"%s asks for a token of %s seconds, and the API server refuses it: %s.",
		[pods.called(input.resource), json.marshal(projection.token.expirationSeconds), wrong],
	))
}

wrong_seconds(seconds) := "600 is the least" if {
	is_whole(seconds)
	seconds < 600
}

wrong_seconds(seconds) := "4294967296 is the most" if {
	is_number(seconds)
	seconds > 4294967296
}

wrong_seconds(seconds) := "it has to be a whole number" if {
	is_number(seconds)
	seconds <= 4294967296
	not is_whole(seconds)
}

wrong_seconds(seconds) := "it has to be a number, without quotes" if {
	is_string(seconds)
	not lib.templated(seconds)
}

wrong_seconds(seconds) := "it has to be a number" if is_boolean(seconds)

is_whole(seconds) if {
	is_number(seconds)
	floor(seconds) == seconds
}

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
	wrong := leads_out(path)
	not lib.templated(path)
	finding := lib.finding(array.concat(projection.path, ["path"]), sprintf(
		"%s projects a token to %q, and the API server refuses it: the path %s.",
		[pods.called(input.resource), path, wrong],
	))
}

leads_out(path) := "has to be relative" if startswith(path, "/")

else := "must not have a part \"..\"" if ".." in split(path, "/")

else := "must not begin with \"..\"" if startswith(path, "..")

report contains finding if {
	some at, writes in written
	count(writes) > 1
	some write in writes
	write.is_token
	last := max({[w.source, w.path] | some w in writes})
	finding := lib.with_severity(
		lib.finding(array.concat(at.sources, last[1]), sprintf(
			"%s projects %d sources of a volume to %q, one of them a token, and the last one overwrites the others: give each a path of its own.",
			[pods.called(input.resource), count(writes), at.to],
		)),
		"warning",
	)
}

# written says for each file in a projected volume what is known to write it.
written[at] contains write if {
	some pod in salint.pods(input.resource)
	some i, volume in pod.spec.volumes
	some j, source in volume.projected.sources
	some field in fields(source)
	to := object.get(source, field, "")
	is_string(to)
	not to == ""
	not lib.templated(to)
	at := {"sources": array.concat(pod.path, ["volumes", i, "projected", "sources"]), "to": to}
	write := {"source": j, "path": array.concat([j], field), "is_token": field[0] == "serviceAccountToken"}
}

# fields are those of a source of a projected volume that say where it writes.
fields(source) := array.concat(
	[[kind, "path"] | some kind in ["serviceAccountToken", "clusterTrustBundle"]; source[kind]],
	[[kind, "items", k, "path"] | some kind in ["secret", "configMap", "downwardAPI"]; some k, _ in source[kind].items],
)
