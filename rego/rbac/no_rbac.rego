# METADATA
# title: The API server evaluates no roles
# description: |
#   With authorization modes that do not include `RBAC`, kube-apiserver evaluates no roles and bindings: those of the repository have no
#   effect, and another authorizer decides. What this program reports about permissions, and what `can-i` and `who-can` answer, is then unknown.
#
#   The mode `AlwaysAllow` is reported by `rbac/always-allow`. This rule checks the same objects: Pods that start kube-apiserver by name and with
#   explicit flags, ClusterConfigurations of kubeadm, also in objects of Cluster API, the configuration of OpenShift, and
#   AuthorizationConfigurations.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/authorization/#authorization-modules
#     description: The authorization modes
# custom:
#   severity: warning
#   kinds: [Pod, AuthorizationConfiguration.apiserver.config.k8s.io, control_planes]
#   words: [authorization-mode, authorization_mode, authorizationMode, authorizers]
#   fix: none
package salint.rules.rbac.no_rbac

import data.salint.helpers
import data.salint.helpers.controlplane as plane
import data.salint.lib

report contains finding if {
	some run in plane.started(input.resource, "kube-apiserver")
	run.pods
	values := plane.named(run, "authorization-mode")
	modes := {mode | some argument in values; some mode in plane.items(argument.value)}
	without(modes)
	finding := found(values[0].path, sprintf("sets --authorization-mode=%s", [values[0].value]), "Set --authorization-mode=Node,RBAC.")
}

report contains finding if {
	input.resource.kind == "AuthorizationConfiguration"
	count(input.resource.authorizers) > 0
	without({authorizer.type | some authorizer in input.resource.authorizers})
	finding := found(["authorizers"], "has no authorizer of the type RBAC", "Add authorizers of the types Node and RBAC.")
}

# without holds for modes of which none evaluates roles, allows everything, or is filled in later.
without(modes) if {
	count(modes) > 0
	count(modes & {"RBAC", "AlwaysAllow"}) == 0
	every mode in modes { regex.match(`^\w+$`, mode) }
}

found(path, what, remedy) := lib.finding(path, sprintf(
	"%s %s, without RBAC. Roles and bindings have no effect on this API server. %s",
	[helpers.sentence(helpers.titled(input.resource.kind, "", helpers.name(input.resource))), what, remedy],
))
