# METADATA
# title: A static pod names an account
# description: |
#   A kubelet creates a static pod without the API server, so it has no account and gets no token. From Kubernetes 1.34, the kubelet refuses a static
#   pod with an account (the gate `PreventStaticPodAPIReferences`, without a gate from 1.37). Before, the pod runs, and the API server
#   rejects its mirror pod, so that `kubectl get pods` does not show it. The same holds for a projected token.
#
#   Static pods are recognized by their folder (such as `etc/kubernetes/manifests`), their annotations, and the labels of the control plane of
#   kubeadm. Machine configurations of Talos list them in `machine.pods`.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/workloads/pods/static-pods/
#     description: What static pods cannot refer to
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/kubelet/config/common.go
#     description: The check of the kubelet
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.34.4/plugin/pkg/admission/serviceaccount/admission.go
#     description: The check of mirror pods in the API server
# custom:
#   severity: warning
#   kinds: [Pod, TalosMachineConfig.talos.dev]
#   words: [serviceAccount]
#   fix: none
package salint.rules.pod.static_pod_account

import data.salint.helpers
import data.salint.lib

report contains finding if {
	some pod in static
	pod.account_path != pod.path
	finding := lib.case(
		lib.finding(pod.account_path, sprintf("Static %s names ServiceAccount %s. %s Remove the field, or run the pod as a DaemonSet.", [
			pod.called, pod.account, refused,
		])),
		array.concat(["account"], pod.case),
	)
}

report contains finding if {
	some pod in static
	some i, volume in pod.spec.volumes
	some j, source in volume.projected.sources
	source.serviceAccountToken
	finding := lib.case(
		lib.finding(array.concat(pod.path, ["volumes", i, "projected", "sources", j]), sprintf(
			"Static %s projects a token, and has no account. %s Remove the source, or run the pod as a DaemonSet.",
			[pod.called, refused],
		)),
		array.concat(["token"], pod.case),
	)
}

static contains object.union(pod, {"called": helpers.called(input.resource), "case": []}) if {
	some pod in salint.pods(input.resource)
	pod.static
}

# https://www.talos.dev/latest/reference/configuration/v1alpha1/config/#Config.machine (pods)
static contains pod if {
	input.resource.kind == "TalosMachineConfig"
	some i, object_of_pod in input.resource.machine.pods
	spec := object_of_pod.spec
	path := ["machine", "pods", i, "spec"]
	named := [field | some field in ["serviceAccountName", "serviceAccount"]; object.get(spec, field, "") != ""]
	pod := {
		"spec": spec, "path": path, "account_path": array.concat(path, array.slice(named, 0, 1)),
		"account": concat("", [spec[field] | some field in array.slice(named, 0, 1)]),
		"called": helpers.called(object_of_pod), "case": [helpers.name(object_of_pod)],
	}
}

refused := "The kubelet refuses the pod from Kubernetes 1.34; before, the API server rejects its mirror pod."
