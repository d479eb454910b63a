# METADATA
# title: The token where clients of the API server look is for another audience
# description: |
#   Client libraries read the token from `/var/run/secrets/kubernetes.io/serviceaccount/token`. A volume that is mounted there keeps the API server
#   from mounting the token that every pod gets. If it projects a token for another audience, the API server rejects every request with it.
#   Without `ca.crt`, a client does not trust the API server either.
#
#   An audience is one of the API server if its name contains `kubernetes`, or if a manifest of kube-apiserver in the repository lists it in
#   `--api-audiences` or `--service-account-issuer`. Other URLs can be the issuer of the cluster, as those of cloud providers are, so they are a note.
# related_resources:
#   - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/#launch-a-pod-using-service-account-token-projection
#     description: Audiences of projected tokens
#   - ref: https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/
#     description: Where clients look for the token
# custom:
#   severity: warning
#   kinds: [workloads]
#   words: [kubernetes.io/serviceaccount]
#   skip_unless: [word-found]
#   reads: [Pod]
#   fix: none
package salint.rules.token.audience

import data.salint.helpers
import data.salint.helpers.controlplane
import data.salint.helpers.pods
import data.salint.lib

api_path := "/var/run/secrets/kubernetes.io/serviceaccount"

report contains finding if {
	some pod in salint.pods(input.resource)
	some i, volume in pod.spec.volumes
	volume.name in mounted(pod.spec)
	some j, source in volume.projected.sources
	source.serviceAccountToken.path == "token"
	audience := source.serviceAccountToken.audience
	is_string(audience)
	not accepted(audience)
	found := lib.finding(
		array.concat(pod.path, ["volumes", i, "projected", "sources", j, "serviceAccountToken", "audience"]),
		sprintf("%s has a token for the audience %s where clients look for that of the API server, which rejects it%s. %s", [
			pods.called(input.resource), audience, without_ca(volume.projected.sources), remedy,
		]),
	)
	finding := graded(found, audience)
}

remedy := "Use another mountPath, and keep the token that every pod gets there."

graded(finding, audience) := lib.with_severity(finding, "note") if {
	contains(audience, "://")
} else := finding

# mounted lists the volumes that a container mounts at the path, as a whole.
mounted(spec) := {mount.name |
	some field in ["initContainers", "containers"]
	some container in spec[field]
	some mount in container.volumeMounts
	trim_suffix(mount.mountPath, "/") in {api_path, trim_prefix(api_path, "/var")}
	object.get(mount, "subPath", "") == ""
}

accepted("")

accepted(audience) if helpers.templated(audience)

accepted(audience) if contains(lower(audience), "kubernetes")

accepted(audience) if audience in of_api_servers

# of_api_servers are the audiences that manifests of kube-apiserver list.
of_api_servers contains audience if {
	some found in salint.anywhere({"kind": "Pod", "group": ""})
	some started in controlplane.containers(found.resource, "kube-apiserver")
	some flag in ["api-audiences", "service-account-issuer"]
	some value in started.flags[flag]
	some audience in split(value, ",")
}

without_ca(sources) := "" if {
	some source in sources
	source.configMap
} else := ", and no ca.crt"
