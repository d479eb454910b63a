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
import data.salint.lib.rbac.escalation_holders
import data.salint.lib.rbac.escalation_powers

report contains finding if {
	not of_kubernetes
	some i, rule in input.resource.rules
	powers := [power | some power in escalation_powers.all; escalation_powers.holds(rule, power)]
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
	escalation_powers.holds(rule, power)
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

by_an_administrator if {
	count(escalation_holders.holders) > 0
	count(escalation_holders.gaining) == 0
}

# of_itself tells of tokens for the account alone that has the role.
of_itself(rule, power) if {
	power.verb == "create"
	count(escalation_holders.holders) > 0
	count(rule.resourceNames) > 0
	every holder in escalation_holders.holders {
		holder.subject.kind == "ServiceAccount"
		holder.binding.scope == holder.subject.namespace
		rule.resourceNames == [holder.subject.name]
	}
}

graded(finding, rule, powers) := finding if {
	unlimited(rule, powers)
} else := lib.with_severity(finding, "note")

unlimited(rule, powers) if {
	not shipped
	unlimited_by_name(rule, powers)
}

# shipped tells of roles that come with a release of Flux or Argo CD, which nobody edits here.
shipped if {
	some prefix, part in {"crd-controller": "flux", "flux-": "flux", "argocd-": "argocd"}
	startswith(lib.name(input.resource), prefix)
	input.resource.metadata.labels["app.kubernetes.io/part-of"] == part
}

message(rule, powers) := sprintf("%s lets %s %s%s%s. %s", [
	lib.sentence(lib.called(input.resource)), escalation_holders.who,
	lib.listed([escalation_powers.said(rule, power) | some power in powers]), escalation_holders.where,
	end(rule, powers), advice(rule, powers),
])

end(rule, powers) := sprintf(": %s", [limit(rule, powers)]) if {
	unlimited_by_name(rule, powers)
} else := ""

unlimited_by_name(rule, powers) if {
	some power in powers
	not escalation_powers.limited(rule, power)
}

# limit is how far it can lead.
limit(rule, powers) := "with that they can become whatever the most powerful account there is" if {
	every power in powers { escalation_powers.of_accounts(rule, power) }
} else := "with that they can have everything in that namespace" if {
	escalation_holders.namespaced
} else := "with that they can become cluster-admin"

advice(rule, powers) := "It comes with what is installed here: know who can act as these accounts." if {
	shipped
} else := "Grant what they need in place of it, or name by resourceNames what it is for." if {
	unlimited_by_name(rule, powers)
} else := "See to it that these have no more than the holders should."
