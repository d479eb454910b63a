package salint.rules.olm.service_account_not_found_test

import data.salint.rules.olm.service_account_not_found as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.anywhere as testing.anywhere
		with salint.find as testing.find
		with salint.renamed as testing.renamed
		with salint.runtime as testing.runtime
		with salint.signs as testing.signs
}

harbor := testing.cluster_extension("harbor", testing.installed_as("harbor-installer"))

beside(model, account) := testing.judge(model, {"a.yaml": [harbor], "b/account.yaml": [account]}, "a.yaml#0/")

test_no_such_account if {
	every model in {"required", "synthetic"} {
		some finding in report(testing.alone(model, harbor))
		finding.path == ["spec", "serviceAccount", "name"]
		contains(finding.message, "ServiceAccount harbor-system/harbor-installer, which is not defined in the repository.")
	}
}

test_field_without_effect if {
	every model in {"ignored", "removed"} {
		count(report(testing.alone(model, harbor))) == 0
	}
}

test_runtime_that_ignores_accounts if {
	world := testing.with_runtime(testing.alone("required", harbor), {"account": false})
	count(report(world)) == 0
}

test_account_in_another_folder if {
	count(report(beside("required", testing.service_account("harbor-system", "harbor-installer")))) == 0
}

test_account_in_another_unit if {
	accounts := {"accounts/all.yaml": [testing.service_account("harbor-system", "harbor-installer")]}
	count(report(testing.elsewhere(testing.alone("required", harbor), accounts))) == 0
}

test_account_with_unknown_namespace if {
	account := {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "harbor-installer"}}
	count(report(beside("required", account))) == 0
	count(report(beside("required", testing.service_account("${NAMESPACE}", "harbor-installer")))) == 0
}

test_account_in_another_namespace_is_pointed_at if {
	some finding in report(beside("required", testing.service_account("harbor", "harbor-installer")))
	contains(finding.message, "(one of that name exists in namespace harbor)")
	finding.related[0].ref == "b/account.yaml#0/"
}

test_templated_namespace_of_the_extension if {
	templated := object.union(harbor, {"spec": {"namespace": "${NAMESPACE}"}})
	files := {"a.yaml": [templated, testing.service_account("harbor", "harbor-installer")]}
	count(report(testing.judge("required", files, "a.yaml#0/"))) == 0
	count(report(testing.alone("required", templated))) == 1
}

test_names_that_are_not_checked if {
	every name in ["default", "pipeline", "olm.synthetic-user"] {
		count(report(testing.alone("required", testing.cluster_extension("harbor", testing.installed_as(name))))) == 0
	}
}

test_a_kustomization_can_create_it if {
	count(report(testing.transformed(testing.alone("required", harbor)))) == 0
}

test_account_with_a_templated_name if {
	every name in ["${TEAM}-install", "${ACCOUNT}", "harbor-${ROLE}", "harbor-{{ .role }}er"] {
		count(report(beside("required", testing.service_account("harbor-system", name)))) == 0 + late(name)
	}
	count(report(beside("required", testing.service_account("harbor", "${ACCOUNT}")))) == 1
}

late(name) := 1 if endswith(name, "-install")

late(name) := 0 if not endswith(name, "-install")

test_account_in_the_namespace_of_a_release if {
	count(report(beside("required", testing.service_account("release-namespace", "harbor-installer")))) == 0
}

# A completely templated name does not hide the accounts of other namespaces.
test_account_of_any_name if {
	count(report(beside("required", testing.service_account("${NAMESPACE}", "${NAME}")))) == 1
	count(report(beside("required", testing.service_account("harbor-system", "${NAME}")))) == 0
}

test_account_that_the_unit_applies_under_another_name if {
	account := testing.service_account("harbor-system", "harbor-installer")
	renamed := object.union(account, {"applied": testing.service_account("harbor-system", "lab-harbor-installer")})
	world := object.union(testing.alone("required", harbor), {"renamed": {"base/account.yaml": [renamed]}})
	other_cluster := {"prod/account.yaml": [account]}
	every judged in [world, testing.elsewhere(world, other_cluster)] {
		some finding in report(judged)
		contains(finding.message, "applies this account as ServiceAccount harbor-system/lab-harbor-installer")
		finding.related[0].ref == "base/account.yaml#0/"
	}
	both := object.union(world, {"files": object.union(world.files, other_cluster)})
	count(report(both)) == 0
}

templated := testing.cluster_extension("harbor", testing.installed_as("${TEAM}-installer"))

test_templated_account_that_nothing_defines if {
	some finding in report(testing.alone("required", templated))
	finding.severity == "note"
	contains(finding.message, `the template "${TEAM}-installer"`)
}

test_templated_account_that_can_become_a_known_one if {
	every name in ["${TEAM}-installer", "ops-installer"] {
		world := testing.judge(
			"required", {"a.yaml": [templated], "b.yaml": [testing.service_account("harbor-system", name)]},
			"a.yaml#0/",
		)
		count(report(world)) == 0
	}
}

test_templated_account_without_effect if {
	count(report(testing.alone("ignored", templated))) == 0
}
