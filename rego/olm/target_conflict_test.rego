package salint.rules.olm.target_conflict_test

import data.salint.rules.olm.target_conflict as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.ref as testing.ref
		with salint.signs as testing.signs
}

sign(kind, ref, model, more) := object.union(
	{
		"kind": kind, "ref": ref, "path": ["spec", kind], "model": model, "target": model,
		"weight": {"crd": 40, "image": 30, "clusterversion": 20, "featureset": 10, "gates": 0}[kind],
		"gates": {}, "description": sprintf("the %s says %s", [kind, model]),
	},
	more,
)

# The object that is judged; rules read nothing of it but its signs.
anything := {"apiVersion": "v1", "kind": "Any", "metadata": {"name": "any"}}

asked(model, signs) := testing.with_signs(testing.alone(model, anything), signs)

detected(signs) := object.union(asked("ignored", signs), {"target": {"asked": false}})

test_crd_that_still_requires_the_field if {
	some finding in report(asked("ignored", [sign("crd", "a.yaml#0/", "required", {})]))
	finding.path == ["spec", "crd"]
	finding.message == concat(" ", [
		"The crd says required, but the target asked for is the model `ignored`:",
		"an extension without the field is rejected as long as this holds. Upgrade first, then remove the field.",
	])
}

test_signs_that_agree_with_the_target if {
	every kind in ["crd", "image", "clusterversion"] {
		count(report(asked("ignored", [sign(kind, "a.yaml#0/", "ignored", {})]))) == 0
	}
}

test_release_of_the_proposal if {
	version := sign("clusterversion", "a.yaml#0/", "required", {"target": "ocp-4.21"})
	count(report(testing.for_release(asked("ignored", [version]), "ocp-4.21-proposed"))) == 0
	count(report(testing.for_release(asked("synthetic", [version]), "ocp-techpreview-proposed"))) == 0
	count(report(testing.for_release(asked("ignored", [version]), "ocp-4.22-proposed"))) == 1
}

test_feature_set_only_contradicts_synthetic_identities if {
	default_set := sign("featureset", "a.yaml#0/", "required", {"gates": {"SyntheticPermissions": false}})
	preview := sign("featureset", "a.yaml#0/", "synthetic", {"gates": {"SyntheticPermissions": true}})
	count(report(asked("synthetic", [default_set]))) == 1
	count(report(asked("ignored", [default_set]))) == 0
	count(report(asked("required", [preview]))) == 0
	count(report(detected([preview, sign("crd", "b.yaml#0/", "required", {})]))) == 0
}

test_signs_of_another_object_are_reported_there if {
	count(report(asked("ignored", [sign("crd", "b.yaml#0/", "required", {})]))) == 0
}

test_lighter_sign_is_reported if {
	crd := sign("crd", "b.yaml#0/", "required", {})
	image := sign("image", "a.yaml#0/", "ignored", {})
	some finding in report(detected([image, crd]))
	finding.path == ["spec", "image"]
	contains(finding.message, "The image says ignored, but the crd says required (in b.yaml).")
	finding.related[0].ref == "b.yaml#0/"
	count(report(detected([sign("image", "b.yaml#0/", "ignored", {}), sign("crd", "a.yaml#0/", "required", {})]))) == 0
}

test_of_equal_signs_the_second_is_reported if {
	count(report(detected(crds("0.yaml#0/", "a.yaml#0/")))) == 1
	count(report(detected(crds("a.yaml#0/", "b.yaml#0/")))) == 0
}

crds(first, second) := [sign("crd", first, "required", {}), sign("crd", second, "ignored", {})]

gates(names) := sign("gates", "a.yaml#0/", "", {"target": "", "gates": names})

test_dropped_gates_stop_the_controller if {
	every release in ["olm-1.11", "olm-1.12", "olm-2.0", "ignored", "removed"] {
		world := testing.for_release(asked("ignored", [gates({"SyntheticPermissions": false})]), release)
		some finding in report(world)
		finding.path == ["spec", "gates"]
		contains(finding.message, "does not start with a gate that it does not know")
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
	image := sign("image", "a.yaml#0/", "ignored", {"target": "olm-1.11"})
	world := testing.for_release(asked("ignored", [image, gates({"PreflightPermissions": true})]), "ocp-4.21-proposed")
	some finding in report(world)
	contains(finding.message, "olm-1.11 does not know PreflightPermissions")
}

test_one_finding_for_all_gates if {
	both := gates({"SyntheticPermissions": true, "PreflightPermissions": false})
	some finding in report(asked("ignored", [both]))
	contains(finding.message, "does not know PreflightPermissions and SyntheticPermissions")
}

test_every_model_has_its_advice if {
	every model in {"synthetic", "ignored", "removed"} {
		some finding in report(asked("required", [sign("crd", "a.yaml#0/", model, {})]))
		contains(finding.message, "Name the target that the cluster has, or change this.")
	}
}

flag(ref, on) := sign("gates", ref, "", {"target": "", "gates": {"SyntheticPermissions": on}})

test_flags_that_contradict_each_other if {
	some finding in report(asked("synthetic", [flag("0.yaml#0/", true), flag("a.yaml#0/", false)]))
	contains(finding.message, "(in 0.yaml): whether extensions without an account are installed cannot be told")
	count(report(asked("synthetic", [flag("0.yaml#0/", true), flag("a.yaml#0/", true)]))) == 0
	count(report(asked("synthetic", [flag("b.yaml#0/", true), flag("a.yaml#0/", false)]))) == 0
}
