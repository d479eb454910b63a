package salint.helpers.olm_test

import data.salint.helpers.olm
import data.salint.testing

with_gates(model, signals) := {
	"model": model, "signs": signals,
	"target": {"name": model, "model": model, "placeholder": true},
	"unit": {"transforms": []},
}

test_gate if {
	every row in [
		[[], "unknown"],
		[[{"gates": {"Other": true}}], "unknown"],
		[[{"gates": {"SyntheticPermissions": true}}], "on"],
		[[{"gates": {"SyntheticPermissions": false}}], "off"],
		[[{"gates": {"AllAlpha": true}}], "on"],
		[[{"gates": {"AllAlpha": true, "SyntheticPermissions": false}}], "off"],
		[[{"gates": {"SyntheticPermissions": true}}, {"gates": {"SyntheticPermissions": false}}], "unknown"],
	] {
		olm.gate == row[1] with input as with_gates("required", row[0]) with salint.signs as testing.signs
	}
}

test_gate_that_is_on_wins_over_one_that_is_off if {
	signals := [{"gates": {"A": false, "B": false}}, {"gates": {"A": true}}]
	olm.gates == {"A": true, "B": false} with input as with_gates("required", signals) with salint.signs as testing.signs
}

identity_of(model, spec) := subjects if {
	extension := testing.extension(testing.cluster_extension("harbor", spec))
	subjects := olm.subjects_of(extension) with input as with_gates(model, [])
		with salint.signs as testing.signs
		with salint.runtime as testing.runtime
		with salint.identity as testing.identity
}

account := [testing.account_subject("harbor-system", "harbor-installer")]

synthetic := [testing.user("olm:clusterextension:harbor"), testing.group("olm:clusterextensions")]

test_identities if {
	identity_of("required", testing.installed_as("harbor-installer")) == account
	identity_of("synthetic", testing.installed_as("harbor-installer")) == account
	identity_of("synthetic", {}) == synthetic
	identity_of("synthetic", {"serviceAccount": null}) == synthetic
	identity_of("required", testing.installed_as("olm.synthetic-user")) == synthetic
}

test_no_identity if {
	not identity_of("ignored", testing.installed_as("harbor-installer"))
	not identity_of("removed", {})
	not identity_of("required", {})
	not identity_of("synthetic", {"serviceAccount": {}})
}
