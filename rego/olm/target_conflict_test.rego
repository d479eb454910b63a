package salint.rules.olm.target_conflict_test

import data.salint.rules.olm.target_conflict as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.ref as testing.ref
		with salint.signs as testing.signs
		with salint.own_signs as testing.own_signs
}

signal(kind, ref, model, more) := object.union(
	{
		"kind": kind, "ref": ref, "path": ["spec", kind], "model": model, "target": model,
		"weight": {"crd": 40, "image": 30, "clusterversion": 20, "featureset": 10, "gates": 0}[kind],
		"gates": {}, "description": sprintf("the %s has %s", [kind, model]),
	},
	more,
)

# The object to check. The rule reads only its signals.
anything := {"apiVersion": "v1", "kind": "Any", "metadata": {"name": "any"}}

asked(model, signals) := testing.with_signs(testing.alone(model, anything), signals)

detected(signals) := object.union(asked("ignored", signals), {"target": {"asked": false}})

test_crd_that_still_requires_the_field if {
	some finding in report(asked("ignored", [signal("crd", "a.yaml#0/", "required", {})]))
	finding.path == ["spec", "crd"]
	finding.message == concat(" ", [
		"The crd has required, but the configured target is the model `ignored`.",
		"The API server rejects an extension without the field. Upgrade first, then remove the field.",
	])
}

test_signals_that_agree_with_the_target if {
	every kind in ["crd", "image", "clusterversion"] {
		count(report(asked("ignored", [signal(kind, "a.yaml#0/", "ignored", {})]))) == 0
	}
}

test_release_of_the_proposal if {
	version := signal("clusterversion", "a.yaml#0/", "required", {"target": "ocp-4.21"})
	count(report(testing.for_release(asked("ignored", [version]), "ocp-4.21-proposed"))) == 0
	count(report(testing.for_release(asked("synthetic", [version]), "ocp-techpreview-proposed"))) == 0
	count(report(testing.for_release(asked("ignored", [version]), "ocp-4.22-proposed"))) == 1
}

test_feature_set_only_contradicts_synthetic_identities if {
	default_set := signal("featureset", "a.yaml#0/", "", {"gates": {"SyntheticPermissions": false}})
	preview := signal("featureset", "a.yaml#0/", "synthetic", {"gates": {"SyntheticPermissions": true}})
	other := signal("featureset", "a.yaml#0/", "", {"gates": {}})
	count(report(asked("synthetic", [other]))) == 0
	count(report(asked("synthetic", [default_set]))) == 1
	count(report(asked("ignored", [default_set]))) == 0
	count(report(asked("required", [preview]))) == 0
	count(report(detected([preview, signal("crd", "b.yaml#0/", "required", {})]))) == 0
}

test_signals_of_another_object_are_reported_there if {
	count(report(asked("ignored", [signal("crd", "b.yaml#0/", "required", {})]))) == 0
}

test_signal_with_the_lower_weight_is_reported if {
	crd := signal("crd", "b.yaml#0/", "required", {})
	image := signal("image", "a.yaml#0/", "ignored", {})
	some finding in report(detected([image, crd]))
	finding.path == ["spec", "image"]
	contains(finding.message, "The image has ignored, but the crd has required (in b.yaml). Extensions are checked for the latter.")
	finding.related[0].ref == "b.yaml#0/"
	count(report(detected([signal("image", "b.yaml#0/", "ignored", {}), signal("crd", "a.yaml#0/", "required", {})]))) == 0
}

test_second_of_equal_signals_is_reported if {
	count(report(detected(crds("0.yaml#0/", "a.yaml#0/")))) == 1
	count(report(detected(crds("a.yaml#0/", "b.yaml#0/")))) == 0
}

crds(first, second) := [signal("crd", first, "required", {}), signal("crd", second, "ignored", {})]

gates(names) := signal("gates", "a.yaml#0/", "", {"target": "", "gates": names})

flags(values) := signal("gates", "a.yaml#0/", "", {"target": "", "start": {"invalid": [], "flags": values}})

test_dropped_gates_stop_the_controller if {
	every release in ["olm-1.11", "olm-1.12", "olm-2.0", "ignored", "removed"] {
		world := testing.for_release(asked("ignored", [gates({"SyntheticPermissions": false})]), release)
		some finding in report(world)
		finding.path == ["spec", "gates"]
		contains(finding.message, "does not start with the unknown gate SyntheticPermissions: no extension is installed")
	}
}

test_gates_that_the_release_has if {
	count(report(asked("ignored", [gates({"BoxcutterRuntime": true})]))) == 0
	every release in ["olm-1.10", "olm-1.3", "ocp-4.21-proposed", "required"] {
		world := testing.for_release(asked("required", [gates({"SyntheticPermissions": true})]), release)
		count(report(world)) == 0
	}
}

test_gates_beside_the_image_of_the_release if {
	image := signal("image", "a.yaml#0/", "ignored", {"target": "olm-1.11"})
	world := testing.for_release(asked("ignored", [image, gates({"PreflightPermissions": true})]), "ocp-4.21-proposed")
	some finding in report(world)
	contains(finding.message, "olm-1.11 does not start with the unknown gate PreflightPermissions")
}

test_flags_that_need_others if {
	some finding in report(asked("ignored", [flags({"tls-cert": "/tls/tls.crt"})]))
	contains(finding.message, "does not start with --tls-cert without --tls-key")
	count(report(asked("ignored", [flags({"tls-cert": "/tls/tls.crt", "tls-key": "/tls/tls.key"})]))) == 0
}

test_one_finding_for_all_gates if {
	both := gates({"SyntheticPermissions": true, "PreflightPermissions": false})
	some finding in report(asked("ignored", [both]))
	contains(finding.message, "does not start with the unknown gates PreflightPermissions and SyntheticPermissions")
}

test_every_model_has_its_advice if {
	every model in {"synthetic", "ignored", "removed"} {
		some finding in report(asked("required", [signal("crd", "a.yaml#0/", model, {})]))
		contains(finding.message, "Set the target to the release of the cluster, or change this manifest.")
	}
}

flag(ref, on) := signal("gates", ref, "", {"target": "", "gates": {"SyntheticPermissions": on}})

test_flags_that_contradict_each_other if {
	some finding in report(asked("synthetic", [flag("0.yaml#0/", true), flag("a.yaml#0/", false)]))
	contains(finding.message, "(in 0.yaml). It is unknown whether extensions without an account are installed.")
	count(report(asked("synthetic", [flag("0.yaml#0/", true), flag("a.yaml#0/", true)]))) == 0
	count(report(asked("synthetic", [flag("b.yaml#0/", true), flag("a.yaml#0/", false)]))) == 0
}
