package salint.rules.olm.installer_orphaned_test

import data.salint.rules.olm.installer_orphaned as rule
import data.salint.testing

report(world, references) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.anywhere as testing.anywhere
		with salint.nearest_of as testing.nearest_of
		with salint.find as testing.find
		with salint.bindings_of as testing.bindings_of
		with salint.role_rules as testing.role_rules
		with salint.granted_rules as testing.granted_rules
		with salint.granted_about as testing.granted_about
		with salint.ref as testing.ref
		with salint.mentions as references
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

at(file, line, ref, what) := {"file": file, "line": line, "ref": ref, "what": what, "template": false, "use": "reference"}

used_as(reference, use) := object.union(reference, {"use": use})

templated(reference) := object.union(reference, {"template": true})

own := [
	at("a.yaml", 1, "a.yaml#0/", "ServiceAccount metadata.name"),
	at("a.yaml", 9, "a.yaml#1/", "ClusterRoleBinding subjects[0].name"),
	at("copy.yaml", 9, "copy.yaml#1/", "ClusterRoleBinding subjects[0].name"),
	at("kustomization.yaml", 3, "kustomization.yaml#0/", "Kustomization resources[0]"),
	at("other.yaml", 3, "other.yaml#0/", "ClusterRole metadata.name"),
	at("deployment.yaml", 3, "deployment.yaml#0/", "Deployment metadata.name"),
]

test_role_of_an_installer if {
	every model in models - {"required"} {
		some finding in report(world_of(model, "harbor-sa", "installer", [finalizers, crds]), own)
		finding.severity == "warning"
		finding.path == ["metadata", "name"]
		contains(finding.message, "ServiceAccount harbor-system/harbor-sa has installer permissions (ClusterRole installer), but nothing in the repository uses it.")
		finding.related[0].ref == "a.yaml#1/"
	}
}

test_one_trait_is_not_enough if {
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

test_cluster_admin_of_another_name_can_be_a_pipeline if {
	count(report(runner({"a/e.yaml": [quay], "b/e.yaml": [harbor]}), [])) == 0
	count(report(testing.elsewhere(runner({}), {"b/e.yaml": [harbor]}), [])) == 0
}

test_default_account_is_used_without_reference if {
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

test_cluster_admin_and_a_role_of_an_installer if {
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

test_extension_without_the_account_it_needs_can_mean_it if {
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

test_templated_account_of_an_extension_can_be_it if {
	every model in models {
		count(report(with_extension(model, testing.installed_as("${INSTALLER}")), own)) == 0
	}
}

test_every_reference_keeps_it if {
	every reference in [
		at("a.yaml", 20, "a.yaml#3/", "ClusterExtension spec.serviceAccount.name"),
		at("pod.yaml", 5, "pod.yaml#0/", "Pod spec.serviceAccountName"),
		at("token.yaml", 5, "token.yaml#0/", "Secret metadata.annotations"),
		at("kustomization.yaml", 9, "kustomization.yaml#0/", "Kustomization patches[0].target.name"),
		at("charts/x/templates/a.yaml", 5, "", "Deployment"),
		at("charts/x/values.yaml", 5, "", ""),
	] {
		count(report(world_of("ignored", "harbor-installer", "cluster-admin", []), array.concat(own, [reference]))) == 0
	}
}

test_templated_reference_can_be_it if {
	some role, severity in {"cluster-admin": "error", "installer": "warning"}
	reference := templated(at("charts/x/templates/a.yaml", 5, "", "Deployment"))
	world := world_of("ignored", "harbor-installer", role, [finalizers, crds])
	some finding in report(world, array.concat(own, [reference]))
	finding.severity == severity
	contains(finding.message, "but only a templated name can refer to it, at charts/x/templates/a.yaml:5.")
}

test_text_that_references_it if {
	references := array.concat(own, [at("README.md", 5, "", ""), templated(at("deploy.sh", 7, "", ""))])
	some finding in report(world_of("ignored", "harbor-installer", "cluster-admin", []), references)
	finding.severity == "note"
	contains(finding.message, "but only text references it, at README.md:5.")
}

test_field_of_unknown_meaning if {
	reference := used_as(at("notes.yaml", 7, "notes.yaml#0/", "ConfigMap data.note"), "unknown")
	some finding in report(world_of("ignored", "harbor-installer", "cluster-admin", []), array.concat(own, [reference]))
	finding.severity == "note"
	contains(finding.message, "but only a field of unknown use names it, at notes.yaml:7.")
}

test_text_in_a_config_map_that_references_it if {
	reference := used_as(at("jobs.yaml", 7, "jobs.yaml#0/", `ConfigMap data["job.yaml"]`), "reference")
	some finding in report(world_of("ignored", "harbor-installer", "cluster-admin", []), array.concat(own, [reference]))
	finding.severity == "note"
	contains(finding.message, "but only a field of unknown use names it, at jobs.yaml:7.")
}

test_place_that_only_names_it if {
	reference := used_as(at("policy.yaml", 9, "policy.yaml#0/", "ValidatingAdmissionPolicy spec.variables[0].expression"), "name")
	some finding in report(world_of("ignored", "harbor-installer", "cluster-admin", []), array.concat(own, [reference]))
	finding.severity == "error"
	contains(finding.message, "but nothing in the repository uses it (policy.yaml:9 only names it).")
}

test_use_beside_a_place_that_only_names_it if {
	references := array.concat(own, [
		used_as(at("policy.yaml", 9, "policy.yaml#0/", "ClusterPolicy spec"), "name"),
		at("pod.yaml", 5, "pod.yaml#0/", "Pod spec.serviceAccountName"),
	])
	count(report(world_of("ignored", "harbor-installer", "cluster-admin", []), references)) == 0
}

test_manifest_that_another_unit_applies_under_another_name if {
	field := at("a.yaml", 20, "a.yaml#3/", "ClusterExtension spec.serviceAccount.name")
	reference := object.union(used_as(field, "renamed"), {"units": ["the kustomization b"]})
	some finding in report(world_of("ignored", "harbor-installer", "cluster-admin", []), array.concat(own, [reference]))
	finding.severity == "error"
	contains(finding.message, "because other units apply the manifest for another account (the kustomization b).")
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

test_templated_name if {
	count(report(world_of("ignored", "${NAME}-installer", "cluster-admin", []), own)) == 0
}

test_subject_without_namespace if {
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
	contains(finding.message, "creating pods in its namespace")
}
