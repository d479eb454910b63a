package salint.rules.olm.service_account_empty_test

import data.salint.rules.olm.service_account_empty as rule
import data.salint.testing

report(model, account) := found if {
	harbor := testing.cluster_extension("harbor", {"serviceAccount": account})
	found := rule.report with input as testing.alone(model, harbor)
		with salint.extension as testing.extension
}

models := {"required", "synthetic", "ignored", "removed"}

test_every_model_and_form_has_one_finding if {
	every model in models {
		every account in [null, {}, {"name": ""}, "harbor-installer"] {
			count(report(model, account)) == 1
		}
	}
}

test_named_accounts_are_fine if {
	every model in models {
		every name in ["harbor-installer", "${ACCOUNT}", "olm.synthetic-user"] {
			count(report(model, {"name": name})) == 0
		}
	}
}

test_absent_is_not_empty if {
	found := rule.report with input as testing.alone("ignored", testing.cluster_extension("harbor", {}))
		with salint.extension as testing.extension
	count(found) == 0
}

test_null_is_dropped if {
	some finding in report("synthetic", null)
	finding.path == ["spec", "serviceAccount"]
	contains(finding.message, "sets spec.serviceAccount to null. The API server drops it, and OLM impersonates the synthetic identity")
	contains(finding.message, "Remove the whole key.")
	some required in report("required", null)
	contains(required.message, "The API server drops it, and the model `required` requires the field, so the API server rejects the manifest.")
}

test_empty_mapping_is_rejected if {
	some finding in report("ignored", {})
	contains(finding.message, "sets spec.serviceAccount without a name. The API server rejects the manifest. Remove the whole key.")
	object.get(finding, "fix", "of the rule") == "of the rule"
}

test_removed_has_no_such_field if {
	some finding in report("removed", {})
	contains(finding.message, "The model `removed` does not have the field: kubectl and server-side apply reject the manifest; other clients drop the field.")
}

test_required_adds_an_account if {
	some finding in report("required", {"name": ""})
	finding.fix == {"name": "add-service-account", "kind": "safe", "args": {}}
	contains(finding.message, "Name a ServiceAccount.")
}

test_a_bare_word_is_fixed_only_where_the_field_has_no_effect if {
	every model in {"required", "synthetic"} {
		some finding in report(model, "harbor-installer")
		contains(finding.unfixable, "it is unknown which account was meant")
	}
	every model in {"ignored", "removed"} {
		some finding in report(model, "harbor-installer")
		not finding.unfixable
	}
}

test_unknown_target if {
	every row in [
		[{}, "The API server rejects the manifest."],
		[null, "The API server drops it, and then rejects the manifest, or OLM acts as its own cluster-admin account, depending on the release."],
	] {
		harbor := testing.cluster_extension("harbor", {"serviceAccount": row[0]})
		found := rule.report with input as testing.unknown(testing.alone("synthetic", harbor))
			with salint.extension as testing.extension
		some finding in found
		contains(finding.message, concat(" ", [
			row[1],
			"Name a ServiceAccount if the release requires one, otherwise remove the whole key.",
		]))
	}
}
