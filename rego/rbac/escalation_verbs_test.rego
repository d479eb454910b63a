package salint.rules.rbac.escalation_verbs_test

import data.salint.rules.rbac.escalation_verbs as rule
import data.salint.testing

group := "rbac.authorization.k8s.io"

made(kind, name, rules) := {
	"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "rules": rules,
	"metadata": {"name": name, "namespace": {"Role": "shop", "ClusterRole": ""}[kind]},
}

account := {"kind": "ServiceAccount", "namespace": "shop", "name": "robot"}

bound_in(scope, role_name) := {"subject": account, "binding": {
	"kind": {true: "ClusterRoleBinding", false: "RoleBinding"}[scope == ""],
	"ref": sprintf("b.yaml#%s/", [scope]), "subject_index": 2,
	"scope": scope, "role": {"kind": "ClusterRole", "name": role_name}, "role_ref": "",
}}

# held is the report about a role with these holders, who have other bindings as well, and can write roles and bindings.
held(resource, holders, others) := with_others(resource, holders, others, [of([group], ["*"], ["update"])])

# with_others is the same for holders that other rules grant something.
with_others(resource, holders, others, rules) := found if {
	admin := [binding | some binding in others; binding.kind == "ClusterRoleBinding"; binding.role.name == "cluster-admin"]
	found := rule.report with input as testing.alone("ignored", resource)
		with salint.ref as testing.ref
		with salint.bindings_to as holders
		with salint.bindings_of as others
		with salint.granted_about as rules
		with salint.bindings_naming as []
		with salint.admin_bindings as admin
}

report(name, rules) := held(made("ClusterRole", name, rules), [], [])

of(groups, resources, verbs) := {"apiGroups": groups, "resources": resources, "verbs": verbs}

named(rule, names) := object.union(rule, {"resourceNames": names})

powers := [
	of([group], ["roles"], ["escalate"]), of(["*"], ["clusterroles"], ["get", "bind"]), of([group], ["*"], ["bind"]),
	of([""], ["users"], ["impersonate"]), of([""], ["users", "groups"], ["impersonate"]),
	of([""], ["serviceaccounts/token"], ["create"]), of([group], ["roles"], ["*"]), of([""], ["serviceaccounts/token"], ["*"]),
	of([group], ["*"], ["*"]), of([group], ["clusterroles"], ["escalate"]),
	of([""], ["*/token"], ["create"]),
]

test_powers if {
	every power in powers {
		some finding in report("manager", [power])
		finding.path == ["rules", 0]
		not finding.severity
		startswith(finding.message, "ClusterRole manager allows its holders to ")
	}
}

test_not_powers if {
	every power in [
		of([group], ["roles"], ["create", "update"]), of(["apps"], ["roles"], ["escalate"]), of([group], ["rolebindings"], ["bind"]),
		of([""], ["serviceaccounts"], ["create"]), of([""], ["pods"], ["impersonate"]), of(["*"], ["*"], ["*"]),
		of(["authentication.k8s.io"], ["userextras/scopes", "uids"], ["impersonate"]), # only with a user
		of([""], ["*"], ["*"]), of([""], ["*"], ["create"]), of(["*"], ["*"], ["get"]),
	] {
		count(report("manager", [power])) == 0
	}
}

test_powers_of_one_rule if {
	count(report("manager", [of([group], ["roles"], ["get"]), of(["apps"], ["deployments"], ["escalate"])])) == 0
}

test_each_power_once if {
	found := report("manager", [powers[8], powers[6], powers[5], powers[7]])
	{finding.path | some finding in found} == {["rules", 0], ["rules", 2]}
	count(report("manager", [named(powers[5], ["a"]), powers[5]])) == 2
}

test_role_that_grants_everything if count(report("manager", [powers[0], of(["*"], ["*"], ["*"])])) == 0

test_limited_by_names if {
	some finding in report("manager", [named(powers[1], ["reader", "writer"])])
	finding.severity == "note"
	contains(finding.message, `gain further permissions: it grants "bind" on roles with resourceNames reader and writer. Check that`)
	every power, name in {1: "cluster-admin", 3: "system:masters", 9: "manager"} {
		some unlimited in report("manager", [named(powers[power], ["reader", name])])
		not unlimited.severity
		contains(unlimited.message, "allows its holders to become cluster-admin: it grants")
	}
}

test_empty_names if {
	some finding in report("manager", [named(powers[1], [])])
	not finding.severity
}

test_own_roles_of_kubernetes if {
	every name in ["system:controller:a", "admin", "edit", "cluster-admin"] { count(report(name, [powers[3]])) == 0 }
	own := object.union(made("ClusterRole", "moved", powers), {"metadata": {"labels": {"kubernetes.io/bootstrapping": "rbac-defaults"}}})
	count(held(own, [], [])) == 0
	count(held(made("Role", "admin", powers), [], [])) > 0
}

test_holders_and_scope if {
	some cluster in held(made("ClusterRole", "manager", [powers[0]]), [bound_in("", "manager")], [])
	contains(cluster.message, `allows ServiceAccount shop/robot to become cluster-admin: it grants "escalate" on roles in the whole cluster, without resourceNames.`)
	some space in held(made("ClusterRole", "manager", [powers[0]]), [bound_in("shop", "manager")], [])
	contains(space.message, "allows ServiceAccount shop/robot to gain all permissions in namespace shop: it grants")
	some tokens in held(made("Role", "manager", [powers[5]]), [], [])
	contains(tokens.message, "allows its holders to act as the most privileged account in namespace shop")
	contains(tokens.message, `it grants "create" on serviceaccounts/token without resourceNames`)
	some aggregated in held(made("ClusterRole", "manager", [powers[0]]), [bound_in("", "admin")], [])
	contains(aggregated.message, "ServiceAccount shop/robot (through ClusterRole admin)")
}

test_cluster_scoped_resources_in_a_namespace if {
	every power in [powers[3], powers[4], powers[9]] {
		count(held(made("Role", "manager", [power]), [], [])) == 0
		count(held(made("ClusterRole", "manager", [power]), [bound_in("shop", "manager")], [])) == 0
		count(held(made("ClusterRole", "manager", [power]), [bound_in("shop", "manager"), bound_in("", "manager")], [])) == 1
	}
	count(held(made("Role", "manager", [of([""], ["serviceaccounts", "users"], ["impersonate"])]), [], [])) == 1
	count(held(made("Role", "manager", [powers[1]]), [], [])) == 1
}

test_administrators if {
	admin := [bound_in("", "cluster-admin").binding]
	resource := made("ClusterRole", "manager", [powers[0]])
	count(held(resource, [bound_in("", "manager")], admin)) == 0
	count(held(resource, [bound_in("", "manager")], [bound_in("shop", "cluster-admin").binding])) == 1
	masters := object.union(bound_in("", "manager"), {"subject": {"kind": "Group", "namespace": "", "name": "system:masters"}})
	count(held(resource, [masters], [])) == 0
	some finding in held(resource, [masters, bound_in("", "manager")], [])
	contains(finding.message, "allows ServiceAccount shop/robot to")
}

test_a_token_of_itself if {
	own := named(powers[5], ["robot"])
	count(held(made("Role", "manager", [own]), [bound_in("shop", "manager")], [])) == 0
	count(held(made("Role", "manager", [own]), [], [])) == 1
	count(held(made("Role", "manager", [named(powers[5], ["robot", "other"])]), [bound_in("shop", "manager")], [])) == 1
	count(held(made("ClusterRole", "manager", [own]), [bound_in("", "manager")], [])) == 1
}

of_flux(name) := object.union(made("ClusterRole", name, [powers[5]]), {"metadata": {"labels": {"app.kubernetes.io/part-of": "flux"}}})

test_roles_of_flux if {
	some shipped in held(of_flux("crd-controller-flux-system"), [], [])
	shipped.severity == "note"
	some other in held(of_flux("tenant"), [], [])
	not other.severity
}

test_aggregated_role if {
	labels := {"metadata": {"labels": {"rbac.authorization.k8s.io/aggregate-to-admin": "true", "rbac.authorization.k8s.io/aggregate-to-view": "false"}}}
	some finding in held(object.union(made("ClusterRole", "manager", [powers[5]]), labels), [], [])
	contains(finding.message, "allows the holders of ClusterRole admin, into which it is aggregated, to act as")
}

test_verb_resource_and_group_belong_together if {
	every power in [
		of(["apps"], ["clusterroles"], ["escalate"]), of([group], ["clusterroles"], ["get"]), of([""], ["users"], ["get"]),
		of(["apps"], ["*"], ["bind"]), of([group], ["users"], ["impersonate"]),
	] {
		count(report("manager", [power])) == 0
	}
}

test_holders_that_are_not_administrators if {
	resource := made("ClusterRole", "manager", [powers[0]])
	every subject in [{"kind": "User", "namespace": "", "name": "system:masters"}, {"kind": "Group", "namespace": "", "name": "developers"}] {
		count(held(resource, [object.union(bound_in("", "manager"), {"subject": subject})], [])) == 1
	}
	count(held(resource, [bound_in("", "manager")], [bound_in("", "view").binding])) == 1
}

test_user_with_the_name_of_the_account if {
	jane := object.union(bound_in("", "manager"), {"subject": {"kind": "User", "namespace": "", "name": "robot"}})
	count(held(made("ClusterRole", "manager", [named(powers[5], ["robot"])]), [jane], [])) == 1
}

test_limited_names if {
	every power, name in {3: "jane", 9: "reader"} {
		some finding in report("manager", [named(powers[power], [name])])
		finding.severity == "note"
	}
}

test_names_similar_to_those_of_flux if {
	every name in ["crd-controller", "flux-manager", "argocd-manager"] {
		some finding in report(name, [powers[5]])
		not finding.severity
		contains(finding.message, "Grant only the required permissions")
	}
	some shipped in held(of_flux("flux-view"), [], [])
	contains(shipped.message, "The role is part of Flux or Argo CD")
	not contains(shipped.message, "Grant only")
}

test_holders_of_an_aggregated_role if {
	labels := {"metadata": {"labels": {"rbac.authorization.k8s.io/aggregate-to-admin": "true"}}}
	some finding in held(object.union(made("ClusterRole", "manager", [powers[5]]), labels), [bound_in("", "admin")], [])
	contains(finding.message, "allows ServiceAccount shop/robot (through ClusterRole admin) to act as")
}

test_other_labels if {
	labels := {"metadata": {"labels": {"critical": "true"}}}
	some finding in held(object.union(made("ClusterRole", "manager", [powers[5]]), labels), [], [])
	contains(finding.message, "allows its holders to act as")
}

test_powers_over_accounts if {
	some accounts in report("manager", [of([""], ["serviceaccounts"], ["impersonate"])])
	contains(accounts.message, "act as the most privileged account")
	some users in report("manager", [of([""], ["serviceaccounts", "users"], ["impersonate"])])
	contains(users.message, "become cluster-admin")
}

test_each_holder_has_a_finding if {
	jane := object.union(bound_in("", "manager"), {"subject": {"kind": "User", "namespace": "", "name": "jane"}})
	found := held(made("ClusterRole", "manager", [powers[0]]), [jane, bound_in("", "manager"), bound_in("shop", "manager"), jane], [])
	{[finding.ref, finding.path] | some finding in found} == {["b.yaml#/", ["subjects", 2]], ["b.yaml#shop/", ["subjects", 2]]}
	count(found) == 3
	every finding in found {
		[related.path | some related in finding.related] == [["rules", 0]]
		count(finding.holder) == 6
	}
	some space in found
	contains(space.message, "allows ServiceAccount shop/robot to gain all permissions in namespace shop: it grants")
	not contains(space.message, "cluster")
}

test_powers_without_effect if {
	needed := {0: `"update" on roles`, 1: `"create" on bindings`}
	every power, need in needed {
		some finding in with_others(made("ClusterRole", "manager", [powers[power]]), [bound_in("", "manager")], [], [])
		contains(finding.message, sprintf("without resourceNames. This has no effect without %s, which the repository does not grant. Grant only", [need]))
		contains(finding.message, "ClusterRole manager grants ServiceAccount shop/robot \"")
		not finding.severity
	}
	some groups in with_others(made("ClusterRole", "manager", [of([""], ["groups"], ["impersonate"])]), [], [], [])
	contains(groups.message, `ClusterRole manager grants its holders "impersonate" on groups without resourceNames. This has no effect without "impersonate" on users or serviceaccounts`)
}

test_powers_with_another_binding if {
	writes := [of([group], ["roles"], ["patch"])]
	resource := made("ClusterRole", "manager", [powers[0]])
	some space in with_others(resource, [bound_in("shop", "manager")], [bound_in("shop", "writer").binding], writes)
	contains(space.message, "to gain all permissions in namespace shop")
	some cluster in with_others(resource, [bound_in("", "manager")], [bound_in("shop", "writer").binding], writes)
	contains(cluster.message, "become cluster-admin")
}

test_only_powers_with_an_effect if {
	resource := made("ClusterRole", "manager", [of([group, ""], ["roles", "serviceaccounts/token"], ["escalate", "create"])])
	some finding in with_others(resource, [bound_in("", "manager")], [], [])
	contains(finding.message, "allows ServiceAccount shop/robot to act as the most privileged account in the whole cluster: it grants \"create\" on serviceaccounts/token")
}

# boss is an administrator by a binding: as a user, and as an account of the namespace shop.
admins(subject) := [bound_in("", "cluster-admin").binding] if {
	subject.name == "boss"
	subject.kind in {"User", "ServiceAccount"}
} else := []

naming := [{"ref": "admins.yaml#0/", "other_form": false, "resource": {"subjects": [{"kind": "ServiceAccount", "namespace": "shop", "name": "boss"}]}}]

about_names(rules, scope) := found if {
	found := rule.report with input as testing.alone("ignored", made("ClusterRole", "manager", rules))
		with salint.ref as testing.ref
		with salint.bindings_to as [bound_in(scope, "manager")]
		with salint.bindings_of as []
		with salint.granted_about as []
		with salint.bindings_naming as naming
		with salint.admin_bindings as admins
}

test_names_of_administrators if {
	some user in about_names([named(of([""], ["users"], ["impersonate"]), ["jane", "boss"])], "")
	not user.severity
	contains(user.message, "to become cluster-admin: it grants \"impersonate\" in the whole cluster, with resourceNames jane and boss.")
	some other in about_names([named(of([""], ["users"], ["impersonate"]), ["jane"])], "")
	other.severity == "note"
	some token in about_names([named(powers[5], ["boss"])], "shop")
	not token.severity
	contains(token.message, "to act as the most privileged account in namespace shop")
	some elsewhere in about_names([named(powers[5], ["boss"])], "web")
	elsewhere.severity == "note"
}

# Constrained impersonation: both halves for one mode, and writes for a warning.
acts_as(verb) := of(["authentication.k8s.io"], ["serviceaccounts"], [verb])

constrained(rules) := [finding |
	some finding in report("actor", rules)
	contains(finding.message, "impersonate:")
]

test_constrained_impersonation if {
	some finding in constrained([acts_as("impersonate:serviceaccount"), of([""], ["pods"], ["impersonate-on:serviceaccount:create"])])
	finding.severity == "warning"
	contains(finding.message, "act as any account, for create pods")
}

test_constrained_impersonation_that_reads if {
	some finding in constrained([acts_as("impersonate:serviceaccount"), of([""], ["pods"], ["impersonate-on:serviceaccount:get"])])
	finding.severity == "note"
}

test_half_of_constrained_impersonation if {
	count(constrained([acts_as("impersonate:serviceaccount"), of([""], ["pods"], ["create"])])) == 0
	count(constrained([acts_as("impersonate:serviceaccount"), of([""], ["pods"], ["impersonate-on:user-info:create"])])) == 0
}
