package salint.rules.grafana.create_access_test

import data.salint.rules.grafana.create_access as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.ref as testing.ref
		with salint.who_can as testing.who_can
		with salint.bindings_of as testing.bindings_of
		with salint.admin_bindings as testing.admin_bindings
		with salint.granted_rules as testing.granted_rules
}

writes(verbs) := {"apiGroups": ["grafana.integreatly.org"], "resources": ["grafanaserviceaccounts"], "verbs": verbs}

developers := testing.group("developers")

world(rule_of_role, subjects, more) := testing.judge(
	"ignored",
	{"a.yaml": array.concat(
		[testing.cluster_role("editor", [rule_of_role]), testing.cluster_role_binding("editors", "editor", subjects)],
		more,
	)},
	"a.yaml#0/",
)

test_cluster_wide if {
	some finding in report(world(writes(["get", "create", "patch"]), [developers], []))
	finding.ref == "a.yaml#1/"
	finding.path == ["subjects", 0]
	startswith(
		finding.message,
		"ClusterRoleBinding editors allows Group developers to create and patch GrafanaServiceAccounts in every namespace",
	)
}

test_each_subject_has_a_finding if {
	found := report(world(writes(["create"]), [testing.group("testers"), developers, developers], []))
	{[finding.path, contains(finding.message, "Group developers")] | some finding in found} == {
		[["subjects", 0], false],
		[["subjects", 1], true],
	}
}

test_reading if count(report(world(writes(["get", "list", "delete"]), [developers], []))) == 0

test_in_a_namespace if {
	binding := object.union(
		testing.cluster_role_binding("editors", "editor", [developers]),
		{"kind": "RoleBinding", "metadata": {"namespace": "monitoring"}},
	)
	files := {"a.yaml": [testing.cluster_role("editor", [writes(["create"])]), binding]}
	count(report(testing.judge("ignored", files, "a.yaml#0/"))) == 0
}

test_administrators if {
	subjects := [
		testing.group("system:masters"), testing.account_subject("kube-system", "namespace-controller"),
		testing.account_subject("grafana", "grafana-operator-controller-manager"), testing.user("olm:clusterextension:grafana"),
	]
	count(report(world(writes(["create"]), subjects, []))) == 0
	admins := testing.cluster_role_binding("admins", "cluster-admin", [developers])
	count(report(world(writes(["create"]), [developers], [admins]))) == 0
}

test_operator_by_its_role if {
	count(bound_as_operator(testing.account_subject("grafana", "operator"))) == 0
	count(bound_as_operator(developers)) == 1
}

bound_as_operator(subject) := report(testing.judge("ignored", {"a.yaml": [role, binding]}, "a.yaml#0/")) if {
	status := {"apiGroups": ["grafana.integreatly.org"], "resources": ["*/status"], "verbs": ["get", "update"]}
	role := testing.cluster_role("editor", [writes(["create"]), status])
	binding := testing.cluster_role_binding("editors", "editor", [subject])
}

test_object_of_the_finding if {
	some direct in report(world(writes(["create"]), [developers], []))
	[place.ref | some place in direct.related] == ["a.yaml#0/"]
}

test_installers if {
	extension := testing.cluster_extension("grafana", testing.installed_as("installer"))
	installer := testing.account_subject("harbor-system", "installer")
	found := report(world(writes(["create"]), [installer], [extension])) with salint.extension as testing.extension
	count(found) == 0
	count(report(world(writes(["create"]), [installer], []))) == 1
}

test_wildcards if {
	everything_new := {"apiGroups": ["*"], "resources": ["*"], "verbs": ["create"]}
	count(report(world(everything_new, [developers], []))) == 0
	files := {"0.yaml": [testing.grafana("grafana", "monitoring", {})], "a.yaml": world(everything_new, [developers], []).files["a.yaml"]}
	count(report(testing.judge("ignored", files, "0.yaml#0/"))) == 1
	count(report(testing.judge("ignored", files, "a.yaml#0/"))) == 0
}

two := [testing.grafana("a", "monitoring", {}), testing.grafana("b", "monitoring", {})]

reader := testing.grafana_account("reader", {"instanceName": "a"})

test_two_instances if {
	some finding in report(testing.judge("ignored", {"a.yaml": array.concat(two, [reader])}, "a.yaml#1/"))
	finding.path == ["metadata", "namespace"]
	startswith(finding.message, "Grafana monitoring/b shares its namespace with Grafana monitoring/a")
}

test_separate_instances if {
	every files in [
		{"a.yaml": two},
		{"a.yaml": [two[0], reader]},
		{"a.yaml": [two[0], testing.grafana("b", "other", {}), reader]},
		{"a.yaml": [two[0], two[0], reader]},
		{"a.yaml": [testing.grafana("a", "", {}), testing.grafana("b", "", {}), testing.in_namespace(reader, "")]},
	] {
		count(report(testing.judge("ignored", files, "a.yaml#0/"))) == 0
	}
	apart := {"dev/a.yaml": [two[0], reader], "prod/a.yaml": [two[1]]}
	count(report(testing.judge("ignored", apart, "dev/a.yaml#0/"))) == 0
}
