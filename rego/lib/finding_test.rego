package salint.lib_test

import data.salint.lib

plain := lib.finding(["spec"], "wrong")

test_a_finding_is_built_up if {
	built := lib.with_fix(lib.at(lib.with_severity(plain, "note"), "a.yaml#0/"), "align-apply-order", "safe", {"x": 1})
	built == {
		"path": ["spec"], "message": "wrong", "severity": "note", "ref": "a.yaml#0/",
		"fix": {"name": "align-apply-order", "kind": "safe", "args": {"x": 1}},
	}
}

test_related_places_keep_their_order if {
	built := lib.related(lib.related(plain, "b", ["x"], "first"), "a", [], "second")
	[place.message | some place in built.related] == ["first", "second"]
}

test_a_fix_is_withheld_with_a_reason if lib.without_fix(plain, "because").unfixable == "because"

test_judged_reports_an_unknown_target if {
	known := {"model": "ignored", "target": {"name": "olm-1.11", "known": true}}
	lib.judged(["spec"], "wrong") == plain with input as known
	guessed := {"model": "synthetic", "target": {"name": "synthetic", "known": false}}
	assumed := lib.judged(["spec"], "wrong.") with input as guessed
	assumed.message == concat(" ", [
		"wrong. Target not detected; assuming the model `synthetic`.",
		"Set `target:` in .salint.yaml, or pass --target (see docs/targets.md).",
	])
}

test_targets_in_messages if {
	release := {"model": "ignored", "target": {"name": "olm-1.11"}}
	lib.target == "olm-1.11" with input as release
	lib.on_target == "on olm-1.11" with input as release
	model := {"model": "ignored", "target": {"name": "ignored"}}
	lib.target == "the model `ignored`" with input as model
	lib.on_target == "under the model `ignored`" with input as model
}

test_identities_count_where_olm_acts_as_them if {
	lib.identities_count with input.model as "required"
	lib.identities_count with input.model as "synthetic"
	not lib.identities_count with input.model as "ignored"
	not lib.identities_count with input.model as "removed"
}

test_as_written if {
	lib.as_written with input.unit as {"transforms": []}
	lib.as_written with input.unit as {}
	not lib.as_written with input.unit as {"transforms": [{"field": "patches"}]}
}
