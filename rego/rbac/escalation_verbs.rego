# METADATA
# title: A role allows its holders to gain further permissions
# description: |
#   Some permissions, such as `escalate` and `bind` on roles, allow their holders to gain permissions that no binding grants them.
#
#   * `escalate` on roles: write permissions into a role that the writer does not hold,
#   * `bind` on roles: grant a role to oneself or to others,
#   * `impersonate`: act as another user, group, or account; extras and UIDs alone have no effect,
#   * `create` on `serviceaccounts/token`: create a token of an account, and act as this account.
#
#   From Kubernetes 1.36, `impersonate:user-info`, `impersonate:serviceaccount`, and `impersonate:arbitrary-node` act as others for the
#   requests that `impersonate-on:…` rules of the same holder name. That is a warning for writes and Secrets, otherwise a note.
#
#   `escalate` has no effect without writing roles, `bind` without writing bindings, and `impersonate` on groups without
#   `impersonate` on users or accounts. If the repository does not grant these to a holder as well, the message states it:
#   another binding, also one outside of the repository, makes the finding effective.
#
#   The verb `*` on roles, users, groups, accounts, and tokens includes them. Anyone holding such a role can gain the permissions it can reach. Each holder that
#   the repository binds to the role, through aggregated roles as well, has a finding at the subject of its binding, with its
#   own scope: a RoleBinding limits the role to its namespace. A role that nothing binds has a finding at its rule.
#
#   Only effective grants are reported. A role that grants everything anyway is not reported, nor is one that is bound
#   to administrators only, or, for tokens, only to the account that it names. In a Role, or in a ClusterRole that only
#   RoleBindings reference, cluster-scoped permissions have no effect: impersonating users and groups, and `escalate` on
#   ClusterRoles.
#
#   A rule with `resourceNames` is a note, unless it names an administrator, also one that a binding of the repository makes
#   cluster-admin, or an administrative role, or for `escalate` the role itself. A role that Flux or Argo CD
#   ships is a note as well, and so is the rule with which operator-controller requests tokens or impersonates, where OLM acts as identities. Kubernetes' own roles (`admin`, `edit`, and
#   those that are called `system:…` or have the label `kubernetes.io/bootstrapping`) are not reported.
#
#   Grant the required permissions directly. An installer that holds every rule of the roles that it creates needs
#   neither `escalate` nor `bind`: `salint preflight` lists them.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks
#     description: Risks of privilege escalation
# custom:
#   severity: warning
#   kinds: [ClusterRole.rbac.authorization.k8s.io, Role.rbac.authorization.k8s.io]
#   words: [escalate, bind, impersonate, serviceaccounts/token, "*/token", roles, '"*"', "'*'"]
#   reads: [rbac]
#   fix: none
package salint.rules.rbac.escalation_verbs

import data.salint.helpers
import data.salint.helpers.rbac.constrained_impersonation as constrained
import data.salint.helpers.rbac.escalation_complements as complements
import data.salint.helpers.rbac.escalation_holders
import data.salint.helpers.rbac.escalation_powers
import data.salint.helpers.rbac.escalation_reach as reaches
import data.salint.helpers.rbac.shipped_roles
import data.salint.lib

report contains finding if {
	not of_kubernetes
	some i, rule in input.resource.rules
	count(salint.powers(rule, false)) > 0 # few rules have any, and only those need the holders
	some view in escalation_holders.views
	powers := escalation_powers.of(rule, view)
	all_given := [power | some power in powers; not escalation_holders.of_itself(rule, power, view); not escalation_powers.given_before(i, power, view)]
	count(all_given) > 0
	effective := [power | some power in all_given; complements.complete(power, view)]
	given := {true: all_given, false: effective}[count(effective) == 0]
	reached := {true: "nothing alone", false: reaches.reach(rule, given, view)}[count(effective) == 0]
	about := lib.case(
		lib.finding(["rules", i], message(rule, given, view, reached)),
		array.concat([reached, sprintf("rule %d", [i])], [power.verb | some power in given]),
	)
	extent := array.concat([reached], sort(object.get(rule, "resourceNames", [])))
	finding := escalation_holders.placed(graded(about, rule, given, view), view, i, given, extent)
}

report contains finding if {
	not of_kubernetes
	some i, rule in input.resource.rules
	some view in constrained_views(rule)
	some kind in constrained.modes(rule, view.namespaced)
	asked := constrained.requests(kind, view)
	count(asked) > 0
	about := lib.case(lib.finding(["rules", i], constrained.message(rule, kind, asked, view)), [kind.mode, sprintf("rule %d", [i])])
	given := [{"verb": sprintf("impersonate:%s", [kind.mode])}]
	finding := escalation_holders.placed(lib.with_severity(about, constrained.severity(rule, asked)), view, i, given, sort(object.get(rule, "resourceNames", [])))
}

# constrained_views are the holders, for the few rules that name a verb of constrained impersonation.
constrained_views(rule) := [view |
	has_mode(rule)
	some view in escalation_holders.views
]

has_mode(rule) if {
	some verb in rule.verbs
	startswith(verb, "impersonate:")
}

# of_kubernetes holds for the roles that every API server creates, and for those that grant everything anyway.
of_kubernetes if startswith(helpers.name(input.resource), "system:")

of_kubernetes if {
	input.resource.kind == "ClusterRole"
	helpers.name(input.resource) in {"cluster-admin", "admin", "edit", "view"}
}

of_kubernetes if input.resource.metadata.labels["kubernetes.io/bootstrapping"]

of_kubernetes if {
	some rule in input.resource.rules
	"*" in rule.apiGroups
	"*" in rule.resources
	"*" in rule.verbs
}

graded(finding, rule, powers, view) := finding if {
	unlimited(rule, powers, view)
} else := lib.with_severity(finding, "note")

unlimited(rule, powers, view) if {
	not shipped_roles.of(rule, view)
	reaches.unlimited_by_name(rule, powers, view)
}

message(rule, powers, view, "nothing alone") := sprintf("%s grants %s %s%s %s. This has no effect without %s, which the repository does not grant. %s", [
	helpers.sentence(helpers.called(input.resource)), escalation_holders.who(view), complements.granted(powers), reaches.place(view),
	escalation_powers.names(rule), complements.missing(powers), remedy(rule, powers, view),
])

message(rule, powers, view, reached) := sprintf("%s allows %s to %s: it grants %s%s %s. %s", [
	helpers.sentence(helpers.called(input.resource)), escalation_holders.who(view), reaches.gain(rule, powers, view),
	escalation_powers.granted(powers), reaches.scope(rule, powers, view), escalation_powers.names(rule), remedy(rule, powers, view),
]) if {
	reached != "nothing alone"
}

remedy(rule, powers, view) := sprintf("The role is part of %s: check who can act as its holders.", [shipped_roles.of(rule, view)]) if {
	shipped_roles.of(rule, view)
} else := sprintf("OLM needs this no longer %s: remove the rule.", [helpers.on_target]) if {
	shipped_roles.left_over(rule, view)
} else := "Grant only the required permissions: these names do not limit the power." if {
	count(object.get(rule, "resourceNames", [])) > 0
	reaches.unlimited_by_name(rule, powers, view)
} else := "Grant only the required permissions, or restrict the rule with resourceNames." if {
	reaches.unlimited_by_name(rule, powers, view)
} else := "Check that these names grant no more than the holders need."
