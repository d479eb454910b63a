package salint.rules.olm.installer_orphaned_test

import data.salint.rules.olm.installer_orphaned as rule
import data.salint.testing

report(world, mentions) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.anywhere as testing.anywhere
		with salint.find as testing.find
		with salint.bindings_of as testing.bindings_of
		with salint.role_rules as testing.role_rules
		with salint.granted_rules as testing.granted_rules
		with salint.ref as testing.ref
		with salint.mentions as mentions
}

models := {"required", "synthetic", "ignored", "removed"}

harbor := testing.cluster_extension("harbor", {})

quay := testing.cluster_extension("quay", {"namespace": "quay"})

world_of(model, name, role, rules) := testing.judge(
	model,
	{"a.yaml": [
		testing.service_account("harbor-system", name),
		testing.cluster_role_binding("b", role, [testing.account_subject("harbor-system", name)]),
		testing.cluster_role("installer", rules),
		harbor,
	]},
	"a.yaml#0/",
)

finalizers := {
	"apiGroups": ["olm.operatorframework.io"],
	"resources": ["clusterextensions/finalizers"], "verbs": ["update"],
}

crds := {"apiGroups": ["apiextensions.k8s.io"], "resources": ["customresourcedefinitions"], "verbs": ["create", "list"]}

own := [
	{"file": "a.yaml", "line": 1, "ref": "a.yaml#0/", "what": "ServiceAccount metadata.name"},
	{"file": "a.yaml", "line": 9, "ref": "a.yaml#1/", "what": "ClusterRoleBinding subjects[0].name"},
	{"file": "kustomization.yaml", "line": 3, "ref": "kustomization.yaml#0/", "what": "Kustomization resources[0]"},
	{"file": "other.yaml", "line": 3, "ref": "other.yaml#0/", "what": "ClusterRole metadata.name"},
]

test_role_of_an_installer if {
	every model in models - {"required"} {
		some finding in report(world_of(model, "harbor-sa", "installer", [finalizers, crds]), own)
		finding.severity == "warning"
		finding.path == ["metadata", "name"]
		contains(finding.message, "ServiceAccount harbor-system/harbor-sa has the permissions of an installer (ClusterRole installer)")
		finding.related[0].ref == "a.yaml#1/"
	}
}

test_one_sign_is_not_enough if {
	count(report(world_of("ignored", "harbor-installer", "installer", [finalizers]), own)) == 0
	count(report(world_of("ignored", "harbor-installer", "installer", [crds]), own)) == 0
}

test_cluster_admin_by_the_name_of_an_installer if {
	every role in ["cluster-admin", "installer"] {
		some finding in report(world_of("ignored", "harbor-installer", role, testing.everything), own)
		finding.severity == "error"
	}
}

runner(files) := testing.judge(
	"ignored",
	object.union(files, {"a/rbac/a.yaml": [
		testing.service_account("harbor-system", "harbor-runner"),
		testing.cluster_role_binding("b", "cluster-admin", [testing.account_subject("harbor-system", "harbor-runner")]),
	]}),
	"a/rbac/a.yaml#0/",
)

test_cluster_admin_of_any_name_beside_its_extension if {
	some finding in report(runner({"a/e.yaml": [harbor], "b/e.yaml": [quay]}), [])
	finding.severity == "error"
	count(report(testing.transformed(runner({"b/e.yaml": [harbor], "a/e.yaml": [quay]})), [])) == 1
}

test_cluster_admin_of_another_name_may_be_a_pipeline if {
	count(report(runner({"a/e.yaml": [quay], "b/e.yaml": [harbor]}), [])) == 0
	count(report(testing.elsewhere(runner({}), {"b/e.yaml": [harbor]}), [])) == 0
}

test_account_of_every_namespace_is_used_without_being_named if {
	count(report(world_of("ignored", "default", "cluster-admin", []), own)) == 0
}

test_cluster_admin_where_no_extension_is_installed if {
	world := testing.judge(
		"ignored",
		{"a.yaml": [
			testing.service_account("tools", "installer"),
			testing.cluster_role_binding("b", "cluster-admin", [testing.account_subject("tools", "installer")]),
			harbor,
		]},
		"a.yaml#0/",
	)
	count(report(world, own)) == 0
}

test_cluster_admin_besides_a_role_of_an_installer if {
	world := testing.judge(
		"ignored",
		{"a.yaml": [
			testing.service_account("harbor-system", "harbor-sa"),
			testing.cluster_role_binding("b", "installer", [testing.account_subject("harbor-system", "harbor-sa")]),
			testing.cluster_role("installer", [finalizers]),
			testing.cluster_role_binding("c", "cluster-admin", [testing.account_subject("harbor-system", "harbor-sa")]),
		]},
		"a.yaml#0/",
	)
	some finding in report(world, own)
	finding.severity == "error"
	contains(finding.message, "(ClusterRole cluster-admin and ClusterRole installer)")
}

with_extension(model, spec) := testing.judge(
	model,
	{"a.yaml": [
		testing.service_account("harbor-system", "harbor-installer"),
		testing.cluster_role_binding("b", "cluster-admin", [testing.account_subject("harbor-system", "harbor-installer")]),
		testing.service_account("harbor-system", "harbor-server"),
		testing.cluster_extension("harbor", spec),
	]},
	"a.yaml#0/",
)

test_extension_without_the_account_it_needs_may_mean_it if {
	missing := testing.installed_as("harbor-instaler")
	there := testing.installed_as("harbor-server")
	wanted := {
		"required": [{}, {"serviceAccount": {}}, missing],
		"synthetic": [missing],
	}
	every model, specs in wanted {
		every spec in specs { count(report(with_extension(model, spec), own)) == 0 }
	}
	enough := {
		"required": [there, testing.installed_as("default")],
		"synthetic": [{}, there],
		"ignored": [{}, missing, there],
	}
	every model, specs in enough {
		every spec in specs { count(report(with_extension(model, spec), own)) == 1 }
	}
}

test_account_that_is_filled_in_later_may_be_it if {
	every model in models {
		count(report(with_extension(model, testing.installed_as("${INSTALLER}")), own)) == 0
	}
}

test_every_mention_keeps_it if {
	every mention in [
		{"file": "a.yaml", "line": 20, "ref": "a.yaml#3/", "what": "ClusterExtension spec.serviceAccount.name"},
		{"file": "pod.yaml", "line": 5, "ref": "pod.yaml#0/", "what": "Pod spec.serviceAccountName"},
		{"file": "token.yaml", "line": 5, "ref": "token.yaml#0/", "what": "Secret metadata.annotations"},
		{"file": "kustomization.yaml", "line": 9, "ref": "kustomization.yaml#0/", "what": "Kustomization patches[0].target.name"},
		{"file": "README.md", "line": 5, "ref": "", "what": ""},
		{"file": "charts/x/templates/a.yaml", "line": 5, "ref": "", "what": "Deployment"},
	] {
		count(report(world_of("ignored", "harbor-installer", "cluster-admin", []), array.concat(own, [mention]))) == 0
	}
}

test_platform_role_is_another_use if {
	world := testing.judge(
		"ignored",
		{"a.yaml": [
			testing.service_account("harbor-system", "harbor-installer"),
			testing.cluster_role_binding("b", "cluster-admin", [testing.account_subject("harbor-system", "harbor-installer")]),
			testing.cluster_role_binding("c", "system:image-puller", [testing.account_subject("harbor-system", "harbor-installer")]),
			harbor,
		]},
		"a.yaml#0/",
	)
	count(report(world, own)) == 0
}

test_account_without_a_binding if {
	count(report(testing.alone("ignored", testing.service_account("harbor-system", "harbor-installer")), own)) == 0
}

test_name_that_is_filled_in_later if {
	count(report(world_of("ignored", "${NAME}-installer", "cluster-admin", []), own)) == 0
}

test_namespace_that_is_not_written if {
	account := {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "harbor-sa"}}
	world := testing.judge(
		"ignored",
		{"a.yaml": [
			account,
			testing.cluster_role_binding("b", "installer", [{"kind": "ServiceAccount", "name": "harbor-sa"}]),
			testing.cluster_role("installer", [finalizers, crds]),
		]},
		"a.yaml#0/",
	)
	some finding in report(world, own)
	contains(finding.message, "create pods in its namespace")
}
