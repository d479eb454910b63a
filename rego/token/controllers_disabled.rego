# METADATA
# title: A controller of service accounts is disabled
# description: |
#   `--controllers` of kube-controller-manager disables a controller that service accounts need:
#
#   | controller | without it |
#   | --- | --- |
#   | `serviceaccount-controller` | new namespaces have no account `default`: pods that name no account are rejected there |
#   | `root-ca-certificate-publisher-controller` | new namespaces have no ConfigMap `kube-root-ca.crt`: pods that mount a token do not start there |
#   | `serviceaccount-token-controller` | no Secret of type `kubernetes.io/service-account-token` gets its token, and those of deleted accounts remain (note) |
#   | `legacy-serviceaccount-token-cleaner-controller` | generated token Secrets that were not used for a year remain valid (note) |
#
#   The names up to Kubernetes 1.27 are `serviceaccount`, `root-ca-cert-publisher`, and `serviceaccount-token`; later
#   releases accept both. The first entry about a controller counts: `name` enables it and `-name` disables it. Without
#   such an entry, it is enabled if the list has a `*`.
#
#   Control planes without pods list only what they need. So a list without `*` is reported only if it enables a
#   controller that creates pods. Only Pods that start kube-controller-manager by name and with explicit flags,
#   ClusterConfigurations of kubeadm, also in objects of Cluster API, and the configuration of OpenShift are checked:
#   in other workloads, such as Deployments, it can belong to a control plane without nodes.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/
#     description: Controllers of service accounts
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.28.0/cmd/kube-controller-manager/names/controller_names.go
#     description: The names of the controllers, and their aliases
# custom:
#   severity: warning
#   kinds: [Pod, control_planes]
#   words: [controllers]
#   fix: none
package salint.rules.token.controllers_disabled

import data.salint.helpers
import data.salint.helpers.controlplane as plane
import data.salint.helpers.token.controllers
import data.salint.lib

report contains finding if {
	some run in plane.started(input.resource, "kube-controller-manager")
	run.pods
	given := plane.named(run, "controllers")
	count(given) > 0
	every argument in given { not helpers.templated(argument.value) }
	some name, controller in controllers.known
	cause := controllers.disabled(controllers.entries(given), name, run.minor)
	found := lib.finding(cause.path, sprintf("%s disables %s of kube-controller-manager. %s. %s", [
		helpers.sentence(helpers.titled(input.resource.kind, "", helpers.name(input.resource))),
		name, controller.effect, remedy(cause, name, run.minor),
	]))
	finding := lib.with_severity(lib.case(found, name), controller.severity)
}

remedy(cause, _, _) := sprintf("Remove %s from --controllers.", [cause.entry]) if cause.entry != ""

remedy(cause, name, minor) := sprintf("Add %s to --controllers.", [controllers.spelled(name, minor)]) if cause.entry == ""
