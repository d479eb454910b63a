# METADATA
# title: A rule of a role has no effect
# description: |
#   The API server accepts rules that no request matches:
#
#   * `pods/*`: a wildcard stands for all resources (`*`), or for one subresource of all of them (`*/scale`), never for the subresources of
#     one resource;
#   * `bind` or `escalate` on `rolebindings` or `clusterrolebindings`: both verbs count on `roles` and `clusterroles` only;
#   * a name with a star in `resourceNames`: names are compared as they are. To allow all names, leave `resourceNames` out;
#   * a verb of constrained impersonation with a star, such as `impersonate-on:user-info:*`: only the verb `*` stands for others;
#   * `impersonate` in the API group `authentication.k8s.io`, and `impersonate:…` in another one: the first has an effect in the core
#     group, and the others in `authentication.k8s.io`.
#
#   A star is a name where the API server checks it: with the verbs `impersonate:…` of constrained impersonation (Kubernetes 1.36 and later)
#   for nodes, and instead of four or more groups or extras, as `DOMAIN/*` for `signers`, and with the metrics APIs, where it stands for all
#   objects. Names of roles and bindings can contain a star, and are not reported.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources
#     description: Resources and subresources in rules
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/#authorization
#     description: Names of signers
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/#constrained-impersonation
#     description: Verbs of constrained impersonation
# custom:
#   severity: note
#   kinds: [ClusterRole.rbac.authorization.k8s.io, Role.rbac.authorization.k8s.io]
#   words: ["/*", "bind", "escalate", "impersonate", "resourceNames"]
#   fix: none
package salint.rules.rbac.rule_without_effect

import data.salint.helpers
import data.salint.helpers.rbac
import data.salint.helpers.rbac.constrained_impersonation as constrained
import data.salint.lib

report contains finding if {
	some i, rule in input.resource.rules
	some j, resource in rule.resources
	regex.match(`^[a-z][-.a-z0-9]*/\*$`, resource)
	not all_extras(rule, resource)
	parts := split(resource, "/")
	finding := lib.finding(["rules", i, "resources", j], message(
		sprintf("a rule for %s, which matches no request: a wildcard does not stand for subresources of one resource", [resource]),
		sprintf("List the subresources, such as %s/status", [parts[0]]),
	))
}

report contains finding if {
	some i, rule in input.resource.rules
	some j, verb in rule.verbs
	verb in {"bind", "escalate"}
	only_bindings(rule)
	finding := lib.finding(["rules", i, "verbs", j], message(
		sprintf("%s on bindings, which has an effect on roles and clusterroles only", [verb]),
		sprintf("Grant %s on the roles that are meant, or remove the verb", [verb]),
	))
}

report contains finding if {
	some i, rule in input.resource.rules
	some j, verb in rule.verbs
	why := constrained.in_vain(rule, verb)
	finding := lib.finding(["rules", i, "verbs", j], message(sprintf("%s, %s", [verb, why.what]), why.remedy))
}

report contains finding if {
	some i, rule in input.resource.rules
	some j, name in rule.resourceNames
	regex.match(`^[-.:/a-z0-9]*\*[-.:/*a-z0-9]*$`, name)
	not stars_are_names(rule, name)
	finding := lib.finding(["rules", i, "resourceNames", j], message(
		sprintf("a rule for the name %s, which no object has: names are compared as they are, without wildcards", [name]),
		"List the names, or remove resourceNames to allow all of them",
	))
}

only_bindings(rule) if {
	rbac.has(rule.apiGroups, {rbac.group})
	count(rule.resources) > 0
	every resource in rule.resources { resource in {"rolebindings", "clusterrolebindings"} }
}

stars_are_names(rule, "*") if {
	constrained.may_act_for_others(rule)
	rbac.has(rule.resources, {"groups", "nodes"})
}

stars_are_names(rule, "*") if {
	some resource in rule.resources
	all_extras(rule, resource)
}

stars_are_names(rule, name) if {
	rbac.has(rule.resources, {"signers"})
	endswith(name, "/*")
}

# An autoscaler requests the metrics of all objects under the name *.
stars_are_names(rule, _) if {
	some group in rule.apiGroups
	endswith(group, "metrics.k8s.io")
}

stars_are_names(rule, _) if rbac.has(rule.apiGroups, {rbac.group})

# The API server requires this instead of many extras.
all_extras(rule, "userextras/*") if constrained.may_act_for_others(rule)

message(what, remedy) := sprintf("%s contains %s. %s.", [helpers.sentence(helpers.called(input.resource)), what, remedy])
