# METADATA
# title: A broad role is granted to the group of all extensions
# description: |
#   Every extension without a service account is in the group `olm:clusterextensions`, including extensions that will be
#   created later. The least trusted of them gets every role that is bound to the group. A group binding is right for
#   permissions that every installation needs, such as creating CustomResourceDefinitions. This rule reports roles that
#   are too broad for that, granted in the whole cluster:
#
#   * everything (`cluster-admin`, `*/*/*`, or a role that is effectively the same),
#   * any verb on every resource of every group, which includes reading every Secret,
#   * reading or writing Secrets,
#   * `escalate`, `bind`, `impersonate`, or creating tokens of accounts, which allow the holder to gain all other permissions,
#   * the Kubernetes roles `admin` and `edit`, which include Secrets and account tokens.
#
#   On targets that ignore identities, `olm/synthetic-binding-unused` reports the binding instead.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks
#     description: Permissions that lead to others
# custom:
#   severity: warning
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io]
#   words: ["olm:clusterextensions"]
#   reads: [ClusterRole.rbac.authorization.k8s.io]
#   fix: none
package salint.rules.olm.group_grant

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.helpers.rbac

report contains finding if {
	effective
	some subject in rbac.subjects(input.resource)
	subject.kind == "Group"
	subject.name == olm.identities_group
	finding := rbac.by_role(helpers.judged(["subjects", subject.index], message(breadth)), subject, [breadth])
}

# effective is true if the group has or can have members. On releases without the placeholder, it has none.
effective if input.model == "synthetic"

effective if olm.placeholder_works

message(what) := sprintf(
	concat(" ", [
		"%s grants %s to Group %s. Every present and future extension %s gets %s.",
		"Bind the role to User %s<name> of each extension that needs it.",
	]),
	[
		helpers.sentence(helpers.called(input.resource)), rbac.role_called(input.resource),
		olm.identities_group, members, what, olm.user_prefix,
	],
)

# members describes the extensions that are in the group.
default members := "without a service account"

members := sprintf("that names %s", [olm.placeholder]) if input.model == "required"

# breadth describes the access of a role that is too broad; undefined for other roles, and for those missing in the
# repository.
breadth := "full control of the cluster" if {
	rbac.is_cluster_admin(input.resource)
} else := "access to every Secret and token of the cluster" if {
	input.resource.roleRef.name in {"admin", "edit"}
} else := "access to every resource of the cluster, including Secrets" if {
	some rule in rules
	"*" in rule.apiGroups
	"*" in rule.resources
} else := "permissions that lead to cluster-admin" if {
	some rule in rules
	escalates(rule)
} else := "access to every Secret of the cluster" if {
	some rule in rules
	rbac.has(rule.apiGroups, {""})
	rbac.has(rule.resources, {"secrets"})
	count(rule.resourceNames) == 0
	rbac.has(rule.verbs, {"get", "list", "watch", "create", "update", "patch"})
}

rules := rbac.granted(input.resource)

escalates(rule) if {
	some power in salint.powers(rule, false)
	not limited(rule, power)
}

# limited holds for a rule that names what the power reaches, none of which opens everything.
limited(rule, power) if {
	count(rule.resourceNames) > 0
	every name in rule.resourceNames { not name in power.opens }
}
