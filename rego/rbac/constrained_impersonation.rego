# Constrained impersonation: the verbs impersonate:MODE name who is impersonated, and impersonate-on:MODE:VERB what is then requested. Neither has an effect
# without the other, and the other identity must be allowed the request as well. Beta, and on by default, from Kubernetes 1.36.
#
# Source: KEP-5284, k8s.io/apiserver/pkg/endpoints/filters/impersonation/mode.go.
package salint.helpers.rbac.constrained_impersonation

import data.salint.helpers
import data.salint.helpers.rbac
import data.salint.helpers.rbac.escalation_holders

# kinds are the modes, with the resources on which the verb is asked, and who is impersonated. A Role can only name accounts: the others are cluster-scoped.
kinds := [
	{"mode": "user-info", "resources": {"users", "groups"}, "who": "any user", "cluster": true},
	{"mode": "serviceaccount", "resources": {"serviceaccounts"}, "who": "any account", "cluster": false},
	{"mode": "arbitrary-node", "resources": {"nodes"}, "who": "any node", "cluster": true},
]

# modes lists the modes of which a rule names the verb. The verb "*" includes them, and is impersonation without constraints.
modes(rule, namespaced) := [kind |
	some kind in kinds
	sprintf("impersonate:%s", [kind.mode]) in rule.verbs
	rbac.has(rule.apiGroups, {"authentication.k8s.io"})
	rbac.has(rule.resources, kind.resources)
	not in_vain(kind, namespaced)
]

in_vain(kind, true) if kind.cluster

# requests lists what the holder of a view can request in a mode: the verb, and the resources.
requests(kind, view) := {request |
	some rule in rules(view)
	some verb in rule.verbs
	prefix := sprintf("impersonate-on:%s:", [kind.mode])
	startswith(verb, prefix)
	some resource in rule.resources
	request := {"verb": trim_prefix(verb, prefix), "resource": resource}
}

# rules are those of the role, and of the other roles of the holder.
rules(view) := array.concat(input.resource.rules, [rule |
	some holder in view.holders
	some binding in salint.bindings_of(holder.subject)
	binding.role_ref != salint.ref(input.resource)
	some rule in salint.granted_rules(binding.ref).rules
])

# grave holds for requests with which the other identity is worth something: writes, and reading Secrets.
grave(asked) if {
	some request in asked
	not request.verb in {"get", "list", "watch"}
}

grave(asked) if {
	some request in asked
	request.resource in {"secrets", "*"}
}

limited(rule) if {
	count(object.get(rule, "resourceNames", [])) > 0
	not "*" in rule.resourceNames
}

severity(rule, asked) := "warning" if {
	grave(asked)
	not limited(rule)
} else := "note"

message(rule, kind, asked, view) := sprintf("%s allows %s to act as %s%s, for %s: it grants %q. This has an effect from Kubernetes 1.36 on. %s", [
	helpers.sentence(helpers.called(input.resource)), escalation_holders.who(view), who(rule, kind), escalation_holders.where(view),
	shown(sort({sprintf("%s %s", [request.verb, request.resource]) | some request in asked})), sprintf("impersonate:%s", [kind.mode]), remedy(rule),
])

who(rule, kind) := helpers.listed(rule.resourceNames) if {
	limited(rule)
} else := kind.who

# shown cuts a list after three requests.
shown(list) := helpers.listed(list) if {
	count(list) <= 3
} else := sprintf("%s, and %d more requests", [concat(", ", array.slice(list, 0, 3)), count(list) - 3])

remedy(rule) := "Check that these names can do no more than the holders need." if {
	limited(rule)
} else := "Restrict the rule with resourceNames."
