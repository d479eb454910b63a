# METADATA
# title: The token where clients of the API server look is for another audience
# description: |
#   Client libraries read the token from `/var/run/secrets/kubernetes.io/serviceaccount/token`. A volume that is mounted there keeps the API server
#   from mounting the token that every pod gets. If it projects a token for another audience, the API server rejects every request with it, and
#   if its file has another name than `token`, clients do not find it.
#   Without `ca.crt`, a client does not trust the API server either.
#
#   An audience is one of the API server if its name contains `kubernetes`, is `k3s` or `rke2`, or if kube-apiserver lists it in `--api-audiences` or
#   `--service-account-issuer`, as a manifest, kubeadm, kind, kops, k3s, RKE2, Talos, OpenShift, or HyperShift sets it in the repository. Other URLs can be the issuer of the cluster, as those of cloud providers are, so they are a note.
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
#   reads:
#     - Pod
#     - ClusterConfiguration.kubeadm.k8s.io
#     - KubeadmControlPlane.controlplane.cluster.x-k8s.io
#     - Cluster.kind.x-k8s.io
#     - Cluster.kops.k8s.io
#     - K3sConfig.k3s.io
#     - RKE2ControlPlane.controlplane.cluster.x-k8s.io
#     - TalhelperConfig.talos.dev
#     - TalosControlPlane.controlplane.cluster.x-k8s.io
#     - TalosMachineConfig.talos.dev
#     - Authentication.config.openshift.io
#     - HostedCluster.hypershift.openshift.io
#     - HostedControlPlane.hypershift.openshift.io
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

# A client that looks for its token in this folder finds no file of this name.
report contains finding if {
	some pod in salint.pods(input.resource)
	some i, volume in pod.spec.volumes
	volume.name in mounted(pod.spec)
	sources := volume.projected.sources
	tokens := [j | some j, source in sources; source.serviceAccountToken]
	count(tokens) > 0
	every source in sources { only_known(source) }
	finding := lib.case(
		lib.finding(
			array.concat(pod.path, ["volumes", i, "projected", "sources", tokens[0], "serviceAccountToken", "path"]),
			sprintf("%s has no file token where clients look for it, only %s. Set path to token, or use another mountPath.", [
				pods.called(input.resource), sources[tokens[0]].serviceAccountToken.path,
			]),
		),
		"path",
	)
}

only_known(source) if {
	is_string(source.serviceAccountToken.path)
	source.serviceAccountToken.path != "token"
	not helpers.templated(source.serviceAccountToken.path)
}

only_known(source) if source.configMap

only_known(source) if source.downwardAPI

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

# The API servers of these distributions accept their own name.
accepted(audience) if audience in {"k3s", "rke2"}

accepted(audience) if audience in of_api_servers

# of_api_servers are the audiences that manifests of kube-apiserver list.
of_api_servers contains audience if {
	some kind in [
		"Pod", "ClusterConfiguration", "KubeadmControlPlane", "Cluster", "K3sConfig", "RKE2ControlPlane", "TalhelperConfig", "TalosControlPlane",
		"TalosMachineConfig",
	]
	some found in salint.anywhere({"kind": kind})
	some run in controlplane.started(found.resource, "kube-apiserver")
	some argument in run.arguments
	argument.name in {"api-audiences", "service-account-issuer"}
	some audience in controlplane.items(argument.value)
}

of_api_servers contains issuer if {
	some kind, paths in issuers_of_openshift
	some found in salint.anywhere({"kind": kind})
	some path in paths
	issuer := object.get(found.resource, path, "")
}

issuers_of_openshift := {
	"Authentication": [["spec", "serviceAccountIssuer"]],
	"HostedCluster": issuers_of_hypershift,
	"HostedControlPlane": issuers_of_hypershift,
}

issuers_of_hypershift := [["spec", "issuerURL"], ["spec", "configuration", "authentication", "serviceAccountIssuer"]]

without_ca(sources) := "" if {
	some source in sources
	source.configMap
} else := ", and no ca.crt"
