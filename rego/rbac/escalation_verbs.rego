# METADATA
# title: A role by which its holder can have any other
# description: |
#   Some permissions give more than they say:
#
#   * `escalate` on roles: write into a role what one does not have,
#   * `bind` on roles: give a role to oneself or others,
#   * `impersonate`: act as another user, group or account,
#   * `create` on `serviceaccounts/token`: get a token of an account, and act as it,
#
#   and so does the verb `*` on roles. Whoever holds such a role is what he can become. The message names the holders
#   that the repository binds to it, through aggregated roles as well, and how far they can come: a RoleBinding limits
#   it to its namespace.
#
#   Reported is what gives something. That is not so of a role that grants everything anyway, of one that is bound to
#   administrators alone, or, for tokens, to the account that it names alone. In a Role, or where only RoleBindings
#   refer to a ClusterRole, what is cluster-scoped grants nothing: impersonating users and groups, and `escalate` on
#   ClusterRoles. A role that names what it is for (`resourceNames`) is a note, unless it names an administrator, or for
#   `escalate` itself. So is one that Flux or Argo CD brings. Kubernetes' own roles (`admin`, `edit`, what is called
#   `system:…` or labelled `kubernetes.io/bootstrapping`) are not reported.
#
#   Grant the permissions themselves in place of the right to take any. An installer that holds every rule of the roles
#   which it creates needs neither `escalate` nor `bind`: `salint preflight` lists them.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks
#     description: Permissions from which others follow
# custom:
#   severity: warning
#   kinds: [ClusterRole.rbac.authorization.k8s.io, Role.rbac.authorization.k8s.io]
#   words: [escalate, bind, impersonate, serviceaccounts/token, roles, '"*"', "'*'"]
#   reads: [rbac]
#   fix: none
package salint.rules.rbac.escalation_verbs

import data.salint.lib
import data.salint.lib.rbac

report contains finding if {
	not of_kubernetes
	some i, rule in input.resource.rules
	powers := [power | some power in all_powers; holds(rule, power)]
	count(powers) > 0
	not by_an_administrator
	given := [power | some power in powers; not of_itself(rule, power); not given_before(i, power)]
	count(given) > 0
	finding := graded(lib.finding(["rules", i], message(rule, given)), rule, given)
}

# given_before tells that a rule further up gives the same without names.
given_before(i, power) if {
	some rule in array.slice(input.resource.rules, 0, i)
	count(object.get(rule, "resourceNames", [])) == 0
	holds(rule, power)
}

# of_kubernetes tells of the roles that every API server makes, and of those that grant everything anyway.
of_kubernetes if startswith(lib.name(input.resource), "system:")

of_kubernetes if {
	input.resource.kind == "ClusterRole"
	lib.name(input.resource) in {"cluster-admin", "admin", "edit", "view"}
}

of_kubernetes if input.resource.metadata.labels["kubernetes.io/bootstrapping"]

of_kubernetes if {
	some rule in input.resource.rules
	"*" in rule.apiGroups
	"*" in rule.resources
	"*" in rule.verbs
}

# all_powers are verbs with the resources on which they mean something, in a namespace and in the whole cluster: any one of
# these. A wildcard among the verbs counts where the resource is named.
all_powers := [
	{
		"verb": "escalate", "wildcard": true, "groups": {rbac.group}, "resources": {"roles"}, "cluster": {"clusterroles"},
		"gives": "write into a role what nobody granted them (escalate)",
		"to": "write anything into %s (escalate)",
	},
	{
		"verb": "bind", "wildcard": true, "groups": {rbac.group}, "resources": {"roles", "clusterroles"}, "cluster": set(),
		"gives": "give any role to themselves (bind)",
		"to": "give themselves %s (bind)",
	},
	{
		"verb": "impersonate", "wildcard": false, "groups": {"", "authentication.k8s.io"},
		"resources": {"serviceaccounts"}, "cluster": {"users", "groups", "uids"},
		"gives": "act as somebody else (impersonate)",
		"to": "act as %s (impersonate)",
	},
	{
		"verb": "create", "wildcard": true, "groups": {""}, "resources": {"serviceaccounts/token"}, "cluster": set(),
		"gives": "get tokens of all accounts (create serviceaccounts/token)",
		"to": "get tokens of %s (create serviceaccounts/token)",
	},
]

# holds tells that a rule has a power, and that it means something where the role is granted.
holds(rule, power) if {
	rbac.has(rule.apiGroups, power.groups)
	some resource in rule.resources
	resource in power.resources
	verb_of(rule, power)
}

holds(rule, power) if {
	not namespaced
	rbac.has(rule.apiGroups, power.groups)
	some resource in rule.resources
	cluster_scoped(power, resource)
	verb_of(rule, power)
}

# Every resource, which for tokens and for the wildcard of both is more than a role is likely to mean by it.
holds(rule, power) if {
	power.verb != "create"
	power.verb in rule.verbs
	"*" in rule.resources
	rbac.has(rule.apiGroups, power.groups)
}

holds(rule, power) if {
	"*" in rule.verbs
	"*" in rule.resources
	rbac.group in power.groups
	rbac.group in rule.apiGroups
}

cluster_scoped(power, resource) if resource in power.cluster

cluster_scoped(power, resource) if {
	power.verb == "impersonate"
	startswith(resource, "userextras/")
}

verb_of(rule, power) if power.verb in rule.verbs

verb_of(rule, power) if {
	power.wildcard
	"*" in rule.verbs
}

# holders are the subjects of the bindings by which the role is held.
holders := salint.bindings_to(salint.ref(input.resource))

# namespaced tells that the role is granted in namespaces alone.
namespaced if input.resource.kind == "Role"

namespaced if {
	count(holders) > 0
	every holder in holders { holder.binding.scope != "" }
}

by_an_administrator if {
	count(holders) > 0
	count(gaining) == 0
}

# gaining are the holders who are not administrators without it.
gaining := [holder | some holder in holders; not administrator(holder.subject)]

administrator(subject) if {
	subject.kind == "Group"
	subject.name in rbac.admin_groups
}

administrator(subject) if {
	some binding in salint.bindings_of(subject)
	binding.kind == "ClusterRoleBinding"
	binding.role_ref != salint.ref(input.resource)
	rbac.grants_everything(binding.role.name, binding.role_ref)
}

# of_itself tells of tokens for the account alone that has the role.
of_itself(rule, power) if {
	power.verb == "create"
	count(holders) > 0
	count(rule.resourceNames) > 0
	every holder in holders {
		holder.subject.kind == "ServiceAccount"
		holder.binding.scope == holder.subject.namespace
		rule.resourceNames == [holder.subject.name]
	}
}

graded(finding, rule, powers) := finding if unlimited(rule, powers)

graded(finding, rule, powers) := lib.with_severity(finding, "note") if not unlimited(rule, powers)

unlimited(rule, powers) if {
	not shipped
	some power in powers
	not limited(rule, power)
}

limited(rule, power) if {
	count(rule.resourceNames) > 0
	every name in rule.resourceNames { not opens_all(power, name) }
}

opens_all(power, name) if {
	power.verb in {"escalate", "bind"}
	name in {"cluster-admin", "admin"}
}

opens_all(power, name) if {
	power.verb == "escalate"
	name == lib.name(input.resource)
}

opens_all(power, name) if {
	power.verb == "impersonate"
	name in {"system:masters", "system:cluster-admins", "system:admin", "kubernetes-admin"}
}

# shipped tells of roles that come with a release of Flux or Argo CD, which nobody edits here.
shipped if {
	some prefix, part in {"crd-controller": "flux", "flux-": "flux", "argocd-": "argocd"}
	startswith(lib.name(input.resource), prefix)
	input.resource.metadata.labels["app.kubernetes.io/part-of"] == part
}

message(rule, powers) := sprintf("%s lets %s %s%s%s. %s", [
	lib.sentence(lib.called(input.resource)), who, lib.listed([said(rule, power) | some power in powers]), where,
	end(rule, powers), advice(rule, powers),
])

default who := "whoever is bound to it"

who := sprintf("whoever is bound to ClusterRole %s, of which it is a part,", [lib.listed(sort(wholes))]) if {
	count(gaining) == 0
	count(wholes) > 0
} else := lib.listed(sort({text |
	some holder in gaining
	text := sprintf("%s%s", [rbac.subject_called(holder.subject), through(holder.binding)])
})) if {
	count(gaining) > 0
}

# wholes are the roles that the API server puts this one into. Their bindings need not be read.
wholes := {whole |
	some label, value in input.resource.metadata.labels
	value == "true"
	whole := trim_prefix(label, "rbac.authorization.k8s.io/aggregate-to-")
	whole != label
}

through(binding) := "" if binding.role.name == lib.name(input.resource)

through(binding) := sprintf(" (through %s)", [lib.titled(binding.role.kind, "", binding.role.name)]) if {
	binding.role.name != lib.name(input.resource)
}

said(rule, power) := power.gives if count(object.get(rule, "resourceNames", [])) == 0

said(rule, power) := sprintf(power.to, [lib.listed(rule.resourceNames)]) if count(rule.resourceNames) > 0

default where := ""

where := " in the whole cluster" if {
	some holder in gaining
	holder.binding.scope == ""
} else := sprintf(" in namespace %s", [lib.listed(namespaces)]) if {
	count(namespaces) > 0
}

namespaces := sort({holder.binding.scope | some holder in gaining; holder.binding.scope != "?"} | own_namespace)

default own_namespace := set()

own_namespace := {lib.namespace(input.resource)} if {
	input.resource.kind == "Role"
	lib.namespace(input.resource) != ""
}

end(rule, powers) := "" if not unlimited_by_name(rule, powers)

end(rule, powers) := sprintf(": %s", [limit(rule, powers)]) if unlimited_by_name(rule, powers)

unlimited_by_name(rule, powers) if {
	some power in powers
	not limited(rule, power)
}

# limit is how far it can lead.
limit(rule, powers) := "with that they can become whatever the most powerful account there is" if {
	every power in powers { of_accounts(rule, power) }
} else := "with that they can have everything in that namespace" if {
	namespaced
} else := "with that they can become cluster-admin"

# of_accounts tells of a power that reaches accounts alone.
of_accounts(_, power) if power.verb == "create"

of_accounts(rule, power) if {
	power.verb == "impersonate"
	every resource in rule.resources { resource == "serviceaccounts" }
}

advice(_, _) := "It comes with what is installed here: know who can act as these accounts." if shipped

advice(rule, powers) := "Grant what they need in place of it, or name by resourceNames what it is for." if {
	not shipped
	unlimited_by_name(rule, powers)
}

advice(rule, powers) := "See to it that these have no more than the holders should." if {
	not shipped
	not unlimited_by_name(rule, powers)
}
