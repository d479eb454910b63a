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

report(given) := found if {
	found := rule.report with input as given
		with salint.ref as testing.ref
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.refs_anywhere as testing.refs_anywhere
		with salint.placeholders as testing.placeholders
		with salint.bindings_to as testing.bindings_to
		with salint.bringers as object.get(given, "bringers", [])
}

beside(bound, others) := testing.judge("ignored", {"a.yaml": [bound], "b.yaml": others}, "a.yaml#0/")

test_note_without_others if {
	some finding in report(beside(binding("ClusterRole", "reader"), []))
	finding.path == ["roleRef", "name"]
	not finding.severity
}

test_warning_among_others if {
	some in_namespace in report(beside(binding("Role", "reader"), [role("shop", "writer")]))
	in_namespace.severity == "warning"
	file := {"a.yaml": [binding("ClusterRole", "reader"), cluster_role("writer")]}
	some in_file in report(testing.judge("ignored", file, "a.yaml#0/"))
	in_file.severity == "warning"
}

test_siblings_in_use if {
	bound := object.union(binding("ClusterRole", "writer"), {"metadata": {"name": "b"}, "subjects": [{"kind": "Group", "name": "a"}]})
	file := {"a.yaml": [binding("ClusterRole", "reader"), cluster_role("writer"), bound]}
	some in_use in report(testing.judge("ignored", file, "a.yaml#0/"))
	not in_use.severity
	part := object.union(cluster_role("writer"), {"metadata": {"labels": {"rbac.authorization.k8s.io/aggregate-to-view": "true"}}})
	some aggregated in report(testing.judge("ignored", {"a.yaml": [binding("ClusterRole", "reader"), part]}, "a.yaml#0/"))
	not aggregated.severity
}

test_own_roles_of_kubernetes if {
	reader := binding("Role", "extension-apiserver-authentication-reader")
	count(report(beside(object.union(reader, {"metadata": {"namespace": "kube-system"}}), []))) == 0
	count(report(beside(json.remove(reader, ["metadata/namespace"]), []))) == 0
	some finding in report(beside(reader, []))
	contains(finding.message, "(Kubernetes creates it in kube-system)")
}

test_installed_by_charts if {
	in_namespace := beside(binding("Role", "reader"), [])
	count(report(object.union(in_namespace, {"bringers": ["z/chart.yaml#0/"]}))) == 0
	of_folder := testing.judge("ignored", {"x/a.yaml": [binding("ClusterRole", "reader")]}, "x/a.yaml#0/")
	count(report(object.union(of_folder, {"bringers": ["x/charts/chart.yaml#0/"]}))) == 0
	count(report(object.union(of_folder, {"bringers": ["y/chart.yaml#0/"]}))) == 1
	extension := {"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterExtension", "metadata": {"name": "harbor"}}
	with_extension := object.union(of_folder, {"files": {"x/b.yaml": [extension]}, "bringers": ["x/b.yaml#0/"]})
	count(report(with_extension)) == 1
}

test_bindings_written_by_salint if {
	label := {"metadata": {"name": "olm", "labels": {"app.kubernetes.io/managed-by": "salint"}}}
	written := object.union(binding("ClusterRole", "reader"), label)
	count(report(beside(written, [binding("ClusterRole", "reader")]))) == 0
	count(report(beside(written, []))) == 1
	count(report(beside(written, [binding("ClusterRole", "writer")]))) == 1
	count(report(beside(binding("ClusterRole", "reader"), [written]))) == 1
}

test_other_kind if {
	some finding in report(beside(binding("Role", "reader"), [cluster_role("reader")]))
	contains(finding.message, "(a ClusterRole of that name exists)")
	some other in report(beside(binding("ClusterRole", "reader"), [role("shop", "reader")]))
	contains(other.message, "(a Role of that name exists)")
}

test_existing_roles if {
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

test_unknown_roles if {
	count(report(testing.transformed(beside(binding("ClusterRole", "reader"), [])))) == 0
	every name in ["${ROLE}", "ROLE_NAME", "<role>", "(join('-', [$namespace, 'reader']))", "%role%"] {
		count(report(beside(binding("ClusterRole", name), []))) == 0
	}
}

in_namespace(bound, namespace) := object.union(bound, {"metadata": {"namespace": namespace}})

test_role_of_another_namespace if {
	some finding in report(beside(binding("Role", "reader"), [role("bank", "reader")]))
	not finding.severity
	not contains(finding.message, "of that name exists)")
	some other in report(beside(binding("ClusterRole", "reader"), [role("bank", "reader")]))
	not other.severity
	not contains(other.message, "of that name exists)")
}

test_unknown_namespaces if {
	every namespace in ["", "release-namespace"] {
		bound := in_namespace(binding("Role", "reader"), namespace)
		count(report(beside(bound, [role("bank", "reader")]))) == 0
		count(report(beside(binding("Role", "reader"), [role(namespace, "reader")]))) == 0
		some finding in report(beside(bound, [role(namespace, "writer")]))
		not finding.severity
	}
	count(report(beside(in_namespace(binding("Role", "reader"), "${SHOP}"), []))) == 0
	some beside_an_open_one in report(beside(binding("Role", "reader"), [role("", "writer")]))
	not beside_an_open_one.severity
}

test_other_references if {
	count(report(beside(binding("Group", "reader"), []))) == 0
	count(report(beside(object.union(binding("Role", "reader"), {"roleRef": {"name": 1}}), []))) == 0
}

test_other_kind_in_a_namespace_of_a_chart if {
	given := beside(binding("Role", "reader"), [cluster_role("reader")])
	some finding in report(object.union(given, {"bringers": ["z/chart.yaml#0/"]}))
	finding.severity == "warning"
	of_folder := testing.judge("ignored", {"x/a.yaml": [binding("ClusterRole", "reader"), role("shop", "reader")]}, "x/a.yaml#0/")
	some other in report(object.union(of_folder, {"bringers": ["x/chart.yaml#0/"]}))
	other.severity == "warning"
}

test_cluster_role_binding_and_a_role if {
	bound := object.union(binding("ClusterRole", "reader"), {"kind": "ClusterRoleBinding"})
	some finding in report(beside(bound, [role("shop", "reader")]))
	not finding.severity
	not contains(finding.message, "a Role of that name exists")
}

test_other_kind_of_an_own_role_of_kubernetes if {
	name := "extension-apiserver-authentication-reader"
	some finding in report(beside(binding("Role", name), [cluster_role(name)]))
	contains(finding.message, "(a ClusterRole of that name exists)")
}

test_binding_written_by_salint_in_another_namespace if {
	label := {"metadata": {"labels": {"app.kubernetes.io/managed-by": "salint"}}}
	written := object.union(binding("ClusterRole", "reader"), label)
	count(report(beside(written, [in_namespace(binding("ClusterRole", "reader"), "bank")]))) == 1
}

test_labels_without_aggregation if {
	plain := object.union(cluster_role("writer"), {"metadata": {"labels": {"team": "till"}}})
	some finding in report(testing.judge("ignored", {"a.yaml": [binding("ClusterRole", "reader"), plain]}, "a.yaml#0/"))
	finding.severity == "warning"
}
