package salint.lib_test

import data.salint.helpers
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

test_judged_keeps_an_unknown_release_apart if {
	helpers.judged(["spec"], "wrong") == plain with input.model as "ignored"
	unknown := helpers.judged(["spec"], "wrong") with input.model as "unknown"
	unknown == lib.case(plain, "unknown release")
}

test_targets_in_messages if {
	release := {"model": "ignored", "target": {"name": "olm-1.11"}}
	helpers.target == "olm-1.11" with input as release
	helpers.on_target == "on olm-1.11" with input as release
	model := {"model": "ignored", "target": {"name": "ignored"}}
	helpers.target == "the model `ignored`" with input as model
	helpers.on_target == "under the model `ignored`" with input as model
	unknown := {"model": "unknown", "target": {"name": "auto"}}
	helpers.target == "the target" with input as unknown
	helpers.on_target == "on the target" with input as unknown
}

test_identities_count_where_olm_acts_as_them if {
	helpers.identities_count with input.model as "required"
	helpers.identities_count with input.model as "synthetic"
	not helpers.identities_count with input.model as "ignored"
	not helpers.identities_count with input.model as "removed"
	not helpers.identities_count with input.model as "unknown"
	helpers.identities_may_count with input.model as "unknown"
	not helpers.identities_may_count with input.model as "ignored"
}

test_as_written if {
	helpers.as_written with input.unit as {"transforms": []}
	helpers.as_written with input.unit as {}
	not helpers.as_written with input.unit as {"transforms": [{"field": "patches"}]}
}
