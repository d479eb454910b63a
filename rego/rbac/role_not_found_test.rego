package salint.rules.rbac.role_not_found_test

import data.salint.rules.rbac.role_not_found as rule
import data.salint.testing

api := "rbac.authorization.k8s.io/v1"

role(namespace, name) := {"apiVersion": api, "kind": "Role", "metadata": {"name": name, "namespace": namespace}}

cluster_role(name) := {"apiVersion": api, "kind": "ClusterRole", "metadata": {"name": name}}

binding(kind, name) := {
	"apiVersion": api, "kind": "RoleBinding", "metadata": {"name": "web", "namespace": "shop"},
	"roleRef": {"kind": kind, "name": name}, "subjects": [],
}

report(judged) := found if {
	found := rule.report with input as judged
		with salint.ref as testing.ref
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
}

beside(bound, others) := testing.judge("ignored", {"a.yaml": [bound], "b.yaml": others}, "a.yaml#0/")

test_note_alone if {
	some finding in report(beside(binding("ClusterRole", "reader"), []))
	finding.path == ["roleRef", "name"]
	not finding.severity
}

test_warning_beside_others if {
	some in_namespace in report(beside(binding("Role", "reader"), [role("shop", "writer")]))
	in_namespace.severity == "warning"
	file := {"a.yaml": [binding("ClusterRole", "reader"), cluster_role("writer")]}
	some in_file in report(testing.judge("ignored", file, "a.yaml#0/"))
	in_file.severity == "warning"
}

test_other_kind if {
	some finding in report(beside(binding("Role", "reader"), [cluster_role("reader")]))
	contains(finding.message, "(there is a ClusterRole of that name)")
	some other in report(beside(binding("ClusterRole", "reader"), [role("shop", "reader")]))
	contains(other.message, "(there is a Role of that name)")
}

test_there if {
	count(report(beside(binding("Role", "reader"), [role("shop", "reader")]))) == 0
	count(report(beside(binding("Role", "reader"), [role("${SHOP}", "reader")]))) == 0
	count(report(beside(binding("ClusterRole", "reader"), [cluster_role("reader")]))) == 0
	count(report(beside(binding("ClusterRole", "reader"), [cluster_role("${NAME}")]))) == 0
	elsewhere := testing.elsewhere(beside(binding("ClusterRole", "reader"), []), {"c.yaml": [cluster_role("reader")]})
	count(report(elsewhere)) == 0
}

test_provided if {
	every name in ["cluster-admin", "view", "system:auth-delegator", "self-provisioner", "csvs.operators.coreos.com-v1alpha1-view", "olm.og.all.admin-abc"] {
		count(report(beside(binding("ClusterRole", name), []))) == 0
	}
}

test_what_is_not_known if {
	count(report(testing.transformed(beside(binding("ClusterRole", "reader"), [])))) == 0
	count(report(beside(binding("ClusterRole", "${ROLE}"), []))) == 0
}
