# METADATA
# title: The API server allows every request
# description: |
#   With the authorization mode `AlwaysAllow`, kube-apiserver allows every request to everyone, also without authentication
#   where anonymous requests are enabled. Roles and bindings have no effect, and neither has what this program reports
#   about them. The mode has this effect wherever it is in the list, because it is asked about what the modes before it do
#   not allow.
#
#   It is the default of kube-apiserver without `--authorization-mode` and `--authorization-config`; this is a warning, as
#   a manifest can be a part of another one. kubeadm and OpenShift set the modes themselves.
#
#   This rule checks Pods that start kube-apiserver by name and with explicit flags, ClusterConfigurations of kubeadm,
#   also in objects of Cluster API, the objects and settings of installers (kind, kops, k0s, Rancher, RKE, RKE2, k3s, k3d, Talos, talhelper, vcluster, Kamaji, and EKS Anywhere),
#   the configuration of OpenShift, and AuthorizationConfigurations. kube-apiserver in
#   other workloads, such as Deployments, is not checked: it can belong to a control plane behind another one.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/authorization/#authorization-modules
#     description: The authorization modes
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/kubeapiserver/options/authorization.go
#     description: The default mode (BuiltInAuthorizationOptions)
# custom:
#   severity: error
#   kinds: [Pod, AuthorizationConfiguration.apiserver.config.k8s.io, control_planes]
#   words: [kube-apiserver, AlwaysAllow, alwaysAllow]
#   fix: none
package salint.rules.rbac.always_allow

import data.salint.helpers
import data.salint.helpers.controlplane as plane
import data.salint.lib

mode := "AlwaysAllow"

report contains finding if {
	some run in plane.started(input.resource, "kube-apiserver")
	run.pods
	some argument in plane.named(run, "authorization-mode")
	mode in plane.items(argument.value)
	finding := found(argument.path, "sets the authorization mode AlwaysAllow of kube-apiserver", "Set --authorization-mode=Node,RBAC.")
}

report contains finding if {
	input.resource.kind == "Pod"
	some started in plane.containers(input.resource, "kube-apiserver")
	count({"authorization-mode", "authorization-config"} & object.keys(started.flags)) == 0
	finding := lib.with_severity(
		found(
			started.path, "starts kube-apiserver without --authorization-mode, whose default is AlwaysAllow",
			"Set --authorization-mode=Node,RBAC.",
		),
		"warning",
	)
}

report contains finding if {
	input.resource.kind == "AuthorizationConfiguration"
	some i, authorizer in input.resource.authorizers
	authorizer.type == mode
	finding := found(["authorizers", i, "type"], "has an authorizer of the type AlwaysAllow", "Use the types Node and RBAC.")
}

found(path, what, remedy) := lib.finding(path, sprintf(
	"%s %s. The API server allows every request to everyone, whatever roles and bindings grant. %s",
	[helpers.sentence(helpers.titled(input.resource.kind, "", helpers.name(input.resource))), what, remedy],
))
