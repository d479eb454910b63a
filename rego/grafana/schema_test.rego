package salint.rules.grafana.schema_test

import data.salint.rules.grafana.schema as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.lookup as testing.find
		with salint.ref as testing.ref
}

account(spec) := testing.grafana_account("reader", spec)

good := {"instanceName": "grafana", "role": "Viewer"}

found(spec) := report(testing.alone("ignored", account(spec)))

paths(spec) := {finding.path | some finding in found(spec)}

test_valid_specs if {
	every spec in [
		good,
		object.union(good, {"name": "exporter", "isDisabled": true, "suspend": null, "resyncPeriod": "1.5h30m10µs"}),
		object.union(good, {"tokens": []}),
		object.union(good, {"tokens": [
			{"name": "a", "expires": "2026-12-31T14:00:00+02:00", "secretName": "a"},
			{"name": "b", "expires": "2999-12-31T14:00:00.123Z"},
		]}),
		object.union(good, {"name": null, "isDisabled": null, "resyncPeriod": null, "tokens": null}),
		object.union(good, {"tokens": [{"name": "a", "expires": null, "secretName": null}]}),
	] {
		count(found(spec)) == 0
	}
}

test_placeholders if {
	count(found({
		"instanceName": "${GRAFANA}", "role": "{{ .role }}", "isDisabled": "${DISABLED}", "resyncPeriod": "$(PERIOD)",
		"tokens": [{"name": "${APP}", "expires": "${EXPIRES}"}, {"name": "${APP}", "secretName": "${SECRET}"}],
	})) == 0
	count(found(object.union(good, {"tokens": "${TOKENS}"}))) == 0
}

test_fields if {
	every row in [
		[{"role": "Owner"}, ["spec", "role"]],
		[{"role": null}, ["spec", "role"]],
		[{"role": false}, ["spec", "role"]],
		[{"instanceName": ""}, ["spec", "instanceName"]],
		[{"instanceName": 5}, ["spec", "instanceName"]],
		[{"instanceName": null}, ["spec", "instanceName"]],
		[{"name": ""}, ["spec", "name"]],
		[{"name": ["a"]}, ["spec", "name"]],
		[{"isDisabled": "false"}, ["spec", "isDisabled"]],
		[{"suspend": 0}, ["spec", "suspend"]],
		[{"resyncPeriod": "10"}, ["spec", "resyncPeriod"]],
		[{"resyncPeriod": "0s"}, ["spec", "resyncPeriod"]],
		[{"resyncPeriod": "-1s"}, ["spec", "resyncPeriod"]],
		[{"resyncPeriod": 10}, ["spec", "resyncPeriod"]],
		[{"tokens": {}}, ["spec", "tokens"]],
		[{"tokens": [null]}, ["spec", "tokens", 0]],
		[{"tokens": ["a"]}, ["spec", "tokens", 0]],
		[{"tokens": [{}]}, ["spec", "tokens", 0, "name"]],
		[{"tokens": [{"name": null}]}, ["spec", "tokens", 0, "name"]],
		[{"tokens": [{"name": null}, {"name": "b"}]}, ["spec", "tokens", 0, "name"]],
		[{"tokens": [{"name": ""}]}, ["spec", "tokens", 0, "name"]],
		[{"tokens": [{"name": "a"}, {"name": "b"}, {"name": "a"}]}, ["spec", "tokens", 2, "name"]],
		[{"tokens": [{"name": "a", "secretName": ""}]}, ["spec", "tokens", 0, "secretName"]],
		[{"tokens": [{"name": "a", "expires": "2026-12-31"}]}, ["spec", "tokens", 0, "expires"]],
		[{"tokens": [{"name": "a", "expires": 1798761600}]}, ["spec", "tokens", 0, "expires"]],
		[{"tokens": [{"name": "a", "expiry": "2026-12-31T00:00:00Z"}]}, ["spec", "tokens", 0, "expiry"]],
		[{"permissions": []}, ["spec", "permissions"]],
	] {
		paths(object.union(good, row[0])) == {row[1]}
	}
}

test_required_fields if {
	paths({}) == {["spec", "instanceName"], ["spec", "role"]}
	patched := testing.transformed(testing.alone("ignored", account({"tokens": [{}]})))
	count(report(patched)) == 0
}

test_messages if {
	some rejected in found(object.union(good, {"role": "Owner"}))
	rejected.message == `In GrafanaServiceAccount reader, spec.role is "Owner". The API server rejects the object. Set Viewer, Editor, or Admin.`
	some dropped in found(object.union(good, {"permissions": []}))
	contains(dropped.message, "it was proposed, and not released")
	contains(dropped.message, "The API server drops it")
	some odd in found(object.union(good, {"tokens": [{"name": "a", "expires": "2026-12-31t00:00:00z"}]}))
	contains(odd.message, "and then reads no account of the cluster")
}

test_invalid_names if {
	every row in [
		[{"instanceName": "My Grafana"}, ["spec", "instanceName"]],
		[{"tokens": [{"name": "a", "secretName": "my_token"}]}, ["spec", "tokens", 0, "secretName"]],
		[{"tokens": [{"name": "a", "secretName": long(254)}]}, ["spec", "tokens", 0, "secretName"]],
		[{"tokens": [{"name": "My token"}]}, ["spec", "tokens", 0, "name"]],
		[{"tokens": [{"name": "token_"}]}, ["spec", "tokens", 0, "name"]],
		[{"instanceName": long(64), "tokens": [{"name": "a"}]}, ["spec", "instanceName"]],
	] {
		paths(object.union(good, row[0])) == {row[1]}
	}
}

test_valid_names if {
	every spec in [
		{"instanceName": "my.grafana", "tokens": [{"name": "My token", "secretName": "my-token.2"}]},
		{"instanceName": "${GRAFANA}_x", "tokens": [{"name": "My token"}]},
		{"instanceName": long(64)},
		{"instanceName": long(64), "tokens": []},
		{"instanceName": long(63), "tokens": [{"name": "a"}]},
		{"tokens": [{"name": "a", "secretName": long(253)}]},
		{"tokens": [{"name": "a", "secretName": "{{ .Release.Name }}_x"}]},
	] {
		count(found(object.union(good, spec))) == 0
	}
	patched := testing.transformed(testing.alone("ignored", account(object.union(good, {"tokens": [{"name": "My token"}]}))))
	count(report(patched)) == 0
}

test_long_name_of_the_resource if {
	{finding.path | some finding in named(long(64))} == {["metadata", "name"]}
	count(named(long(63))) == 0
}

named(name) := report(testing.alone("ignored", testing.grafana_account(name, object.union(good, {"tokens": [{"name": "a"}]}))))

long(length) := concat("", [letter | some _ in numbers.range(1, length); letter := "x"])

test_long_strings if {
	some finding in found(object.union(good, {"role": concat("", [text | some _ in numbers.range(1, 99); text := "x"])}))
	contains(finding.message, "spec.role is a string of more than 60 characters.")
}

test_the_object_itself if {
	some no_spec in report(testing.alone("ignored", object.remove(account(good), ["spec"])))
	contains(no_spec.message, "has no spec")
	some null_spec in report(testing.alone("ignored", account(null)))
	null_spec.message == no_spec.message
	some wrong_spec in report(testing.alone("ignored", account("reader")))
	wrong_spec.path == ["spec"]
	expectation := object.union(object.remove(account(good), ["spec"]), {"status": {}})
	count(report(testing.alone("ignored", expectation))) == 0
	some version in report(testing.alone("ignored", object.union(
		account(good),
		{"apiVersion": "grafana.integreatly.org/v1"},
	)))
	version.path == ["apiVersion"]
	some extra in report(testing.alone("ignored", object.union(account(good), {"data": {}, "status": {}})))
	extra.path == ["data"]
}
