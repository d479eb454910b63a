# METADATA
# title: A broad role is granted to the group of all extensions
# description: |
#   Every extension without a service account is in the group `olm:clusterextensions`, those that somebody will create next
#   year included. What is bound to the group is what the least trusted of them gets. A group binding is right for what
#   every installation needs, such as creating CustomResourceDefinitions; it is too much for one of these, granted for the
#   whole cluster:
#
#   * everything (`cluster-admin`, `*/*/*`, or a role that comes to the same),
#   * any verb on every resource of every group, which includes reading every Secret,
#   * reading or writing Secrets,
#   * `escalate`, `bind` or `impersonate`, by which the rest can be had,
#   * Kubernetes' own roles `admin` and `edit`, which hold Secrets and account tokens.
#
#   On targets that ignore identities, `olm/synthetic-binding-unused` speaks about the binding instead.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks
#     description: Permissions from which others follow
# custom:
#   severity: warning
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io]
#   words: ["olm:clusterextensions"]
#   reads: [ClusterRole.rbac.authorization.k8s.io]
#   fix: none
package salint.rules.olm.group_grant

import data.salint.lib
import data.salint.lib.olm
import data.salint.lib.rbac

report contains finding if {
	effective
	some subject in rbac.subjects(input.resource)
	subject.kind == "Group"
	subject.name == olm.identities_group
	finding := lib.judged(["subjects", subject.index], message(breadth))
}

# effective tells that there are identities in the group, or may be. Releases that do not know the placeholder have none.
effective if input.model == "synthetic"

effective if olm.placeholder_works

message(what) := sprintf(
	concat(" ", [
		"%s grants %s to Group %s: every extension %s, whoever adds it, is installed with %s.",
		"Bind the role to User %s<name> of each extension that needs it.",
	]),
	[
		lib.sentence(lib.called(input.resource)), rbac.role_called(input.resource),
		olm.identities_group, members, what, olm.user_prefix,
	],
)

# members are the extensions that are in the group.
default members := "without a service account"

members := sprintf("that names %s", [olm.placeholder]) if input.model == "required"

# breadth says what is too much for everybody; undefined for a role that is not, or that is not in the repository.
breadth := "full control of the cluster" if {
	rbac.is_cluster_admin(input.resource)
} else := "access to every Secret and token of the cluster" if {
	input.resource.roleRef.name in {"admin", "edit"}
} else := "access to every resource of the cluster, Secrets included" if {
	some rule in rules
	"*" in rule.apiGroups
	"*" in rule.resources
} else := "the means to grant itself everything" if {
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
	rbac.has(rule.apiGroups, {rbac.group})
	rbac.has(rule.resources, {"roles", "clusterroles"})
	count(rule.resourceNames) == 0
	rbac.has(rule.verbs, {"escalate", "bind"})
}

escalates(rule) if {
	rbac.has(rule.apiGroups, {""})
	rbac.has(rule.resources, {"users", "groups", "serviceaccounts"})
	count(rule.resourceNames) == 0
	"impersonate" in rule.verbs
}
