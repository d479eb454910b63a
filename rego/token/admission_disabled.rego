# METADATA
# title: The ServiceAccount admission plugin is disabled
# description: |
#   The plugin is on by default. Without it, kube-apiserver sets no account for pods that name none, accepts pods whose
#   account does not exist, mounts no tokens, and does not add the pull Secrets of accounts. Pods that call the API
#   server find no token, and `kubernetes.io/enforce-mountable-secrets` has no effect.
#
#   The plugin is off if `--disable-admission-plugins` lists it, and if the deprecated `--admission-control` is set
#   and does not list it. Each of these flags can occur several times; the lists are joined. kube-apiserver does not start if
#   `--enable-admission-plugins` lists the plugin as well, or if `--admission-control` is combined with one of the others.
#
#   This rule checks Pods that start kube-apiserver by name and with explicit flags, ClusterConfigurations of kubeadm,
#   also in objects of Cluster API, the objects and settings of installers (kind, kops, k0s, Rancher, RKE, RKE2, k3s, k3d, Talos, talhelper, vcluster, Kamaji, and EKS Anywhere),
#   and the configuration of OpenShift. kube-apiserver in other workloads, such as
#   Deployments, is not checked: it can belong to a control plane without nodes, such as that of Karmada, where the
#   plugin has no pods to change.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#serviceaccount
#     description: The ServiceAccount admission plugin
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/kubeapiserver/options/plugins.go
#     description: The plugins that are on by default
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.34.0/staging/src/k8s.io/apiserver/pkg/server/options/admission.go
#     description: Lists that overlap are an error (AdmissionOptions.Validate)
# custom:
#   severity: warning
#   kinds: [Pod, control_planes]
#   words: [admission-plugins, admission_plugins, admission-control, admission_control, AdmissionPlugins, admissionControl]
#   fix: none
package salint.rules.token.admission_disabled

import data.salint.helpers
import data.salint.helpers.controlplane as plane
import data.salint.lib

report contains finding if {
	some run in plane.started(input.resource, "kube-apiserver")
	run.pods
	some argument in plane.named(run, "disable-admission-plugins")
	"ServiceAccount" in plane.items(argument.value)
	finding := disabled(argument, "disables the admission plugin ServiceAccount", effect(run), "Remove it from --disable-admission-plugins.")
}

# A list can be spread over several flags.
report contains finding if {
	some run in plane.started(input.resource, "kube-apiserver")
	run.pods
	given := plane.named(run, "admission-control")
	every argument in given {
		not "ServiceAccount" in plane.items(argument.value)
		not helpers.templated(argument.value)
	}
	argument := given[0]
	finding := disabled(argument, "sets --admission-control without ServiceAccount", effect(run), "Add it to --admission-control.")
}

disabled(argument, what, consequence, remedy) := lib.case(
	lib.finding(argument.path, sprintf(
		"%s %s of kube-apiserver. %s %s",
		[helpers.sentence(helpers.titled(input.resource.kind, "", helpers.name(input.resource))), what, consequence, remedy],
	)),
	argument.name,
)

effect(run) := "kube-apiserver does not start, because --enable-admission-plugins lists it, too." if {
	some enabling in plane.named(run, "enable-admission-plugins")
	"ServiceAccount" in plane.items(enabling.value)
	some disabling in plane.named(run, "disable-admission-plugins")
	"ServiceAccount" in plane.items(disabling.value)
} else := "kube-apiserver does not start, because --admission-control cannot be combined with the flags that replace it." if {
	count(plane.named(run, "admission-control")) > 0
	some newer in ["enable-admission-plugins", "disable-admission-plugins"]
	count(plane.named(run, newer)) > 0
} else := "Pods get no default account and no token, and pods of missing accounts are accepted."
