package salint.rules.olm.service_account_missing_test

import data.salint.rules.olm.service_account_missing as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.find as testing.find
		with salint.bindings_of as testing.bindings_of
		with salint.effective_rules as testing.effective_rules
		with salint.covers as testing.covers
}

harbor := testing.cluster_extension("harbor", {})

test_required_is_an_error_at_the_missing_field if {
	some finding in report(testing.for_release(testing.alone("required", harbor), "olm-1.10"))
	finding.path == ["spec", "serviceAccount"]
	contains(finding.message, "has no spec.serviceAccount. olm-1.10 requires the field, so")
	contains(finding.message, "namespace harbor-system")
}

test_other_models_do_not_require_it if {
	every model in {"synthetic", "ignored", "removed"} {
		count(report(testing.alone(model, harbor))) == 0
	}
}

test_field_in_any_form if {
	every account in [null, {}, {"name": ""}, {"name": "harbor-installer"}, {"name": "${ACCOUNT}"}] {
		count(report(testing.alone("required", testing.cluster_extension("harbor", {"serviceAccount": account})))) == 0
	}
}

test_layout_without_account if {
	count(report(testing.alone("required", object.union(harbor, {"layout": "v0.10"})))) == 0
}

test_a_patch_can_add_it if {
	count(report(testing.transformed(testing.alone("required", harbor)))) == 0
}

test_extension_without_namespace if {
	some finding in report(testing.alone("required", object.union(harbor, {"spec": {"namespace": ""}})))
	contains(finding.message, "the extension's namespace")
	startswith(finding.message, "ClusterExtension harbor has no spec.serviceAccount. The model `required` requires the field")
}

test_only_a_remote_component_can_add_it if {
	alone := testing.alone("required", harbor)
	count(report(object.union(alone, {"unit": {"remotes": [{"field": "resources"}]}}))) == 1
	every remote in [{"field": "components"}, {"value": "left out"}] {
		count(report(object.union(alone, {"unit": {"remotes": [remote]}}))) == 0
	}
}

account(name) := testing.service_account("harbor-system", name)

bound(name) := {
	"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
	"metadata": {"name": name},
	"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "installer"},
	"subjects": [{"kind": "ServiceAccount", "name": name, "namespace": "harbor-system"}],
}

installer := {
	"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
	"metadata": {"name": "installer"},
	"rules": [
		{"apiGroups": ["olm.operatorframework.io"], "resources": ["clusterextensions/finalizers"], "verbs": ["update"]},
		{"apiGroups": ["apiextensions.k8s.io"], "resources": ["customresourcedefinitions"], "verbs": ["create"]},
	],
}

in_unit(more) := testing.judge("required", {"a.yaml": array.concat([harbor, installer], more)}, "a.yaml#0/")

test_an_installer_is_left if {
	some finding in report(in_unit([account("old"), bound("old"), account("web")]))
	endswith(finding.message, "Name ServiceAccount harbor-system/old here, which has the permissions of an installer.")
}

test_several_installers_are_left if {
	some finding in report(in_unit([account("old"), bound("old"), account("older"), bound("older")]))
	contains(finding.message, "Name the account of this extension here: old and older in namespace harbor-system")
}

test_installer_of_another_extension if {
	other := testing.cluster_extension("other", testing.installed_as("old"))
	some finding in report(in_unit([account("old"), bound("old"), other]))
	contains(finding.message, "Create a ServiceAccount in namespace harbor-system")
}
