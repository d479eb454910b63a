package salint.rules.olm.installer_unbound_test

import data.salint.rules.olm.installer_unbound as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.anywhere as testing.anywhere
		with salint.refs_anywhere as testing.refs_anywhere
		with salint.bindings_naming as testing.bindings_naming
		with salint.templated_bindings as testing.templated_bindings
		with salint.bindings_of as testing.bindings_of
		with salint.find as testing.find
		with salint.bringers as testing.bringers
		with salint.granted_elsewhere as granted_elsewhere
		with salint.ref as testing.ref
		with salint.renamed as testing.renamed
		with salint.runtime as testing.runtime
		with salint.signs as testing.signs
}

# A world sets the places that can bind a role to the account.
granted_elsewhere(_) := object.get(input, "granted_elsewhere", [])

harbor := testing.cluster_extension("harbor", testing.installed_as("harbor-installer"))

account := testing.service_account("harbor-system", "harbor-installer")

unbound(model) := testing.judge(model, {"a.yaml": [harbor, account]}, "a.yaml#0/")

bound_to(subject) := testing.judge(
	"required",
	{"a.yaml": [harbor, account], "rbac.yaml": [testing.cluster_role_binding("harbor", "installer", [subject])]},
	"a.yaml#0/",
)

account_subject(namespace, name) := {"kind": "ServiceAccount", "namespace": namespace, "name": name}

test_unbound_where_the_field_is_honored if {
	every model in {"required", "synthetic"} {
		some finding in report(unbound(model))
		finding.path == ["spec", "serviceAccount", "name"]
		not finding.severity
		startswith(finding.message, "Nothing is bound to ServiceAccount harbor-system/harbor-installer, which installs ClusterExtension harbor.")
	}
	every model in {"ignored", "removed"} {
		count(report(unbound(model))) == 0
	}
}

test_bound if {
	every subject in [
		account_subject("harbor-system", "harbor-installer"),
		testing.user("system:serviceaccount:harbor-system:harbor-installer"),
		testing.group("system:serviceaccounts"),
		testing.group("system:serviceaccounts:harbor-system"),
		testing.group("system:authenticated"),
	] {
		count(report(bound_to(subject))) == 0
	}
}

test_bound_to_another_subject if {
	every subject in [
		account_subject("harbor", "harbor-installer"),
		account_subject("harbor-system", "harbor"),
		testing.group("system:serviceaccounts:harbor"),
	] {
		some finding in report(bound_to(subject))
		not finding.severity
	}
}

test_bound_in_another_unit if {
	every namespace in {"harbor-system", "${NAMESPACE}"} {
		binding := testing.cluster_role_binding("harbor", "installer", [account_subject(namespace, "harbor-installer")])
		count(report(testing.elsewhere(unbound("required"), {"rbac/all.yaml": [binding]}))) == 0
	}
}

test_bound_in_another_form_in_another_unit if {
	binding := testing.cluster_role_binding("harbor", "installer", [account_subject("harbor-system", "harbor-installer")])
	some finding in report(testing.elsewhere(bound_to(account_subject("harbor-system", "other")), {"rbac.yaml": [binding]}))
	not finding.severity
}

test_account_without_a_manifest if count(report(testing.alone("required", harbor))) == 0

test_doubts_make_it_a_note if {
	templated := testing.cluster_role_binding("all", "installer", [account_subject("harbor-system", "${ACCOUNT}")])
	doubts := {
		"not all objects of its deployment unit are known": testing.transformed(unbound("required")),
		"a binding has a templated subject": testing.elsewhere(unbound("required"), {"rbac/all.yaml": [templated]}),
		"bind.sh:3 can bind a role to it": object.union(unbound("required"), {"granted_elsewhere": [{"file": "bind.sh", "line": 3}]}),
		"charts from outside the repository are installed": object.union(unbound("required"), {"bringers": ["chart.yaml#0/"]}),
	}
	every doubt, world in doubts {
		some finding in report(world)
		finding.severity == "note"
		contains(finding.message, doubt)
	}
}

test_an_extension_is_no_doubt if {
	some finding in report(object.union(unbound("required"), {"bringers": ["a.yaml#0/"]}))
	not finding.severity
}
