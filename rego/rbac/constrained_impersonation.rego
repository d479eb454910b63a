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
	rbac.has(rule.apiGroups, {group})
	rbac.has(rule.resources, kind.resources)
	not cluster_only(kind, namespaced)
]

cluster_only(kind, true) if kind.cluster

# may_act_for_others holds for rules with a verb of a mode, or with every verb.
may_act_for_others(rule) if {
	some verb in rule.verbs
	asked_for_modes(verb)
	rbac.has(rule.apiGroups, {group})
}

group := "authentication.k8s.io"

asked_for_modes("*")

asked_for_modes(verb) if startswith(verb, "impersonate:")

# in_vain is why no request has a verb of impersonation on what a rule is about.
in_vain(rule, verb) := {
	"what": "a verb which no request has: a star stands for other verbs only alone",
	"remedy": "List the verbs",
} if {
	regex.match(`^impersonate(-on)?:.*\*`, verb)
} else := {
	"what": sprintf("which has an effect in the API group %s only", [group]),
	"remedy": sprintf("Write the API group %s", [group]),
} if {
	startswith(verb, "impersonate:")
	not rbac.has(rule.apiGroups, {group})
}

in_vain(rule, "impersonate") := {
	"what": "which has an effect on users, groups, and accounts of the core group only",
	"remedy": "Write the API group \"\", or a verb impersonate:MODE",
} if {
	rule.apiGroups == [group]
	count(rule.resources) > 0
	every resource in rule.resources { resource in {"users", "groups", "serviceaccounts"} }
}

# requests lists what the holder of a view can request in a mode: the verb, and the resources.
requests(kind, view) := {request |
	some rule in rules(view)
	some verb in rule.verbs
	prefix := sprintf("impersonate-on:%s:", [kind.mode])
	startswith(verb, prefix)
	verb != sprintf("%s*", [prefix]) # no wildcard
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

# limited holds if names limit who is impersonated. The API server requires the name "*" instead of those of four groups or more.
limited(rule) if {
	count(object.get(rule, "resourceNames", [])) > 0
	not every_group(rule)
}

every_group(rule) if {
	"*" in rule.resourceNames
	rbac.has(rule.resources, {"groups"})
}

severity(rule, asked) := "warning" if {
	grave(asked)
	not limited(rule)
	not salint.older_kubernetes(since)
} else := "note"

since := "1.36"

effect := sprintf("It has no effect on Kubernetes %s, but from %s on.", [salint.older_kubernetes(since), since]) if {
	salint.older_kubernetes(since)
} else := sprintf("This has an effect from Kubernetes %s on.", [since])

message(rule, kind, asked, view) := sprintf("%s allows %s to act as %s%s, for %s: it grants %q. %s %s", [
	helpers.sentence(helpers.called(input.resource)), escalation_holders.who(view), who(rule, kind), escalation_holders.where(view),
	shown(sort({sprintf("%s %s", [request.verb, request.resource]) | some request in asked})), sprintf("impersonate:%s", [kind.mode]), effect, remedy(rule),
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
