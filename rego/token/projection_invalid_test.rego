package salint.rules.token.projection_invalid_test

import data.salint.rules.token.projection_invalid as rule

report(sources) := found if {
	pod := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {"volumes": [{"name": "token", "projected": {"sources": sources}}]}}
	found := rule.report with input as {"resource": pod}
}

token(fields) := {"serviceAccountToken": object.union({"path": "token"}, fields)}

test_bounds if {
	every seconds in [599, 0, 4294967297] {
		some finding in report([token({"expirationSeconds": seconds})])
		finding.path == ["spec", "volumes", 0, "projected", "sources", 0, "serviceAccountToken", "expirationSeconds"]
	}
	every seconds in [600, 3600, 4294967296, "${SECONDS}"] {
		count(report([token({"expirationSeconds": seconds})])) == 0
	}
}

test_no_path if {
	every source in [{"serviceAccountToken": {"audience": "vault"}}, token({"path": ""})] {
		some finding in report([source])
		contains(finding.message, "without a path")
	}
}

test_the_same_path_twice if {
	some finding in report([token({}), token({"audience": "vault"})])
	finding.path == ["spec", "volumes", 0, "projected", "sources", 1, "serviceAccountToken", "path"]
	count(report([{"configMap": {"name": "ca", "items": [{"key": "ca", "path": "token"}]}}, token({})])) == 1
}

test_several_paths if count(report([token({}), token({"path": "vault"}), {"configMap": {"name": "ca"}}])) == 0

test_what_is_no_projection if {
	every token in [null, "{{ token }}"] { count(report([{"serviceAccountToken": token}])) == 0 }
}

test_two_without_a_path_are_each_reported_once if {
	count(report([token({"path": ""}), token({"path": ""})])) == 2
}
