package salint.rules.rbac.cluster_admin_grant_test

import data.salint.helpers.known_admins
import data.salint.rules.olm.cluster_admin_grant as olm_rule
import data.salint.rules.olm.group_grant
import data.salint.rules.rbac.cluster_admin_grant as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.identity as testing.identity
		with salint.lookup as testing.find
		with salint.lookup_refs as testing.find_refs
		with salint.installed_as as testing.extensions_installed_as
		with salint.ref as testing.ref
		with salint.bindings_of as testing.bindings_of
		with salint.is_administrator as true
		with salint.granted_rules as testing.granted_rules
		with salint.granted_about as testing.granted_about
		with salint.runtime as testing.runtime
		with salint.signs as testing.signs
}

of_olm(world) := found if {
	found := olm_rule.report with input as world
		with salint.extension as testing.extension
		with salint.identity as testing.identity
		with salint.lookup as testing.find
		with salint.lookup_refs as testing.find_refs
		with salint.installed_as as testing.extensions_installed_as
		with salint.ref as testing.ref
		with salint.bindings_of as testing.bindings_of
		with salint.granted_rules as testing.granted_rules
		with salint.granted_about as testing.granted_about
		with salint.bundle as testing.bundle
		with salint.runtime as testing.runtime
		with salint.signs as testing.signs
}

of_group(world) := found if {
	found := group_grant.report with input as world
		with salint.lookup as testing.find
		with salint.lookup_refs as testing.find_refs
		with salint.ref as testing.ref
		with salint.granted_rules as testing.granted_rules
		with salint.granted_about as testing.granted_about
		with salint.runtime as testing.runtime
		with salint.signs as testing.signs
}

bound(role, subjects) := testing.cluster_role_binding("ops", role, subjects)

alone(subjects) := report(testing.alone("ignored", bound("cluster-admin", subjects)))

account := testing.account_subject("shop", "robot")

test_every_kind_of_subject if {
	found := alone([testing.user("jane"), testing.group("ops"), account])
	{[finding.path, finding.message] | some finding in found} == {
		[["subjects", 0], message("User jane", "This user can read and change everything in the cluster.")],
		[["subjects", 1], message("Group ops", "Every member can read and change everything in the cluster.")],
		[["subjects", 2], message("ServiceAccount shop/robot", "Anyone creating pods in its namespace can use it.")],
	}
}

message(who, consequence) := concat(" ", [
	sprintf("ClusterRoleBinding ops grants cluster-admin to %s.", [who]), consequence,
	"Bind a role with only the required permissions, in a new binding: a roleRef is immutable.",
])

test_a_subject_twice if {
	with_group := object.union(testing.user("jane"), {"apiGroup": "rbac.authorization.k8s.io"})
	{finding.path | some finding in alone([testing.user("jane"), with_group, testing.group("jane")])} == {["subjects", 0], ["subjects", 2]}
}

reading := {"apiGroups": ["*"], "resources": ["*"], "verbs": ["get", "list", "watch"]}

writing := {"apiGroups": ["*"], "resources": ["*"], "verbs": ["create", "update", "patch", "delete", "deletecollection"]}

test_effect_of_the_role if {
	every name, rules in {"everything": testing.everything, "verbs": [reading, writing]} {
		some finding in report(testing.judge("ignored", {"a.yaml": [bound(name, [account]), testing.cluster_role(name, rules)]}, "a.yaml#0/"))
		contains(finding.message, sprintf("grants ClusterRole %s, effectively cluster-admin, to ServiceAccount shop/robot.", [name]))
	}
	every name, rules in {"cluster-admins": [reading], "writer": [writing]} {
		count(report(testing.judge("ignored", {"a.yaml": [bound(name, [account]), testing.cluster_role(name, rules)]}, "a.yaml#0/"))) == 0
	}
	count(report(testing.alone("ignored", bound("admin", [account])))) == 0
}

test_known_administrators if {
	every known in known_admins.accounts {
		count(alone([testing.account_subject(known.namespace, known.name)])) == 0
		count(alone([testing.account_subject("elsewhere", known.name)])) == 1
		count(alone([testing.user(known.name)])) == 1
		count(alone([testing.account_subject("${NAMESPACE}", known.name)])) == 1
		count(alone([{"kind": "ServiceAccount", "name": known.name}])) == 0
		known.project != ""
		known.source != ""
	}
	every known in known_admins.groups {
		count(alone([testing.group(known.name)])) == 0
		count(alone([testing.user(known.name)])) == 1
	}
	count(alone([testing.account_subject("flux-system", "robot")])) == 1
}

named := testing.cluster_extension("harbor", testing.installed_as("harbor-installer"))

installer := testing.account_subject("harbor-system", "harbor-installer")

# Of this rule and olm/cluster-admin-grant, exactly one reports an account.
test_identities_of_extensions if {
	every subject in [installer, testing.group("system:serviceaccounts"), testing.group("system:serviceaccounts:harbor-system")] {
		every model in ["required", "synthetic", "ignored", "removed"] {
			world := testing.judge(model, {"a.yaml": [bound("cluster-admin", [subject]), named]}, "a.yaml#0/")
			count(of_olm(world)) + count(report(world)) == 1
		}
	}
	other := testing.judge("required", {"a.yaml": [bound("cluster-admin", [installer, account]), named]}, "a.yaml#0/")
	{finding.path | some finding in report(other)} == {["subjects", 1]}
	second := testing.account_subject("harbor-system", "second-installer")
	extension := testing.cluster_extension("second", testing.installed_as("second-installer"))
	both := testing.judge("required", {"a.yaml": [bound("cluster-admin", [installer, second]), named, extension]}, "a.yaml#0/")
	count(of_olm(both)) == 1
	{finding.path | some finding in report(both)} == {["subjects", 1]}
}

test_synthetic_users if {
	user := testing.user("olm:clusterextension:harbor")
	installed := testing.cluster_extension("harbor", {})
	world := testing.judge("synthetic", {"a.yaml": [bound("cluster-admin", [user]), installed]}, "a.yaml#0/")
	count(of_olm(world)) == 1
	count(report(world)) == 0
	count(report(testing.alone("required", bound("cluster-admin", [user])))) == 1
	count(report(testing.alone("ignored", bound("cluster-admin", [user])))) == 0
}

test_group_of_synthetic_users if {
	binding := bound("cluster-admin", [testing.group("olm:clusterextensions")])
	every model in ["required", "synthetic"] {
		count(of_group(testing.alone(model, binding))) + count(report(testing.alone(model, binding))) == 1
	}
	count(report(testing.without_placeholder(testing.alone("required", binding)))) == 1
	count(report(testing.alone("removed", binding))) == 0
}

# together is a repository in which two bindings grant everything together; the second has the writer as its subject.
together(writer) := {"a.yaml": [
	named,
	testing.cluster_role_binding("read", "reader", [installer, account]),
	testing.cluster_role_binding("write", "writer", [writer]),
	testing.cluster_role("reader", [reading]),
	testing.cluster_role("writer", [writing]),
]}

test_bindings_that_grant_everything_together if {
	found := report(testing.judge("required", together(account), "a.yaml#1/"))
	count(found) == 1
	some finding in found
	finding.path == ["subjects", 1]
	startswith(finding.message, "ClusterRoleBinding read and ClusterRoleBinding write together grant effectively cluster-admin to ServiceAccount shop/robot. Anyone")
	[related.ref | some related in finding.related] == ["a.yaml#2/"]
	count(report(testing.judge("required", together(account), "a.yaml#2/"))) == 0
	count(report(testing.judge("required", together(installer), "a.yaml#1/"))) == 0
	count(report(testing.judge("ignored", together(installer), "a.yaml#1/"))) == 1
	count(report(testing.judge("required", together(testing.user("jane")), "a.yaml#1/"))) == 0
}

# shared is a repository in which a group may read everything, and the subject may write everything.
shared(group, subject) := {"a.yaml": [
	testing.cluster_role_binding("read", "reader", [testing.group(group)]),
	testing.cluster_role_binding("write", "writer", [subject]),
	testing.cluster_role("reader", [reading]),
	testing.cluster_role("writer", [writing]),
]}

test_a_group_together_with_the_groups_of_its_members if {
	every case in [
		{"reads": "system:authenticated", "writes": "ops", "at": {"a.yaml#1/"}},
		{"reads": "ops", "writes": "system:authenticated", "at": {"a.yaml#0/"}},
		{"reads": "system:authenticated", "writes": "system:serviceaccounts:shop", "at": {"a.yaml#1/"}},
		{"reads": "system:serviceaccounts", "writes": "system:serviceaccounts:shop", "at": {"a.yaml#1/"}},
		{"reads": "system:serviceaccounts", "writes": "ops", "at": set()},
		{"reads": "system:authenticated", "writes": "system:unauthenticated", "at": set()},
	] {
		files := shared(case.reads, testing.group(case.writes))
		{ref |
			some ref in ["a.yaml#0/", "a.yaml#1/"]
			count(report(testing.judge("ignored", files, ref))) == 1
		} == case.at
	}
	some finding in report(testing.judge("ignored", shared("system:authenticated", testing.group("ops")), "a.yaml#1/"))
	startswith(finding.message, "ClusterRoleBinding write and ClusterRoleBinding read together grant effectively cluster-admin to Group ops. Every")
	[related.message | some related in finding.related] == ["read grants the rest to Group system:authenticated"]
}
