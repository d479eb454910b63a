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
		contains(finding.message, "projects a token without a path. The API server rejects the pod.")
	}
}

test_other_values if {
	every seconds in ["600", 600.5, true] {
		some finding in report([token({"expirationSeconds": seconds})])
		contains(finding.message, "The API server rejects the pod. Set a ")
	}
	some finding in report([token({"expirationSeconds": 99999999999999999999})])
	contains(finding.message, "Set at most 4294967296.")
	not contains(finding.message, "%!")
}

test_invalid_paths if {
	every path in ["/token", "../token", "..token", "a/../token", ".."] {
		some finding in report([token({"path": path})])
		finding.path == ["spec", "volumes", 0, "projected", "sources", 0, "serviceAccountToken", "path"]
	}
	every path in ["a/token", "a..b/token", ".token", "a/..token", "${TOKEN}/../x"] {
		count(report([token({"path": path})])) == 0
	}
}

# The API server compares the paths of other sources with one another, but none with that of a token.
test_equal_paths if {
	some finding in report([token({}), token({"audience": "vault"})])
	finding.path == ["spec", "volumes", 0, "projected", "sources", 1, "serviceAccountToken", "path"]
	finding.severity == "warning"
}

test_the_path_of_another_source if {
	others := [
		[{"configMap": {"name": "ca", "items": [{"key": "ca", "path": "token"}]}}, ["configMap", "items", 0, "path"]],
		[{"clusterTrustBundle": {"name": "ca", "path": "token"}}, ["clusterTrustBundle", "path"]],
	]
	every other in others {
		some after in report([other[0], token({})])
		after.path == ["spec", "volumes", 0, "projected", "sources", 1, "serviceAccountToken", "path"]
		some before in report([token({}), other[0]])
		before.path == array.concat(["spec", "volumes", 0, "projected", "sources", 1], other[1])
		count(report([other[0], other[0]])) == 0
	}
}

test_different_paths if count(report([token({}), token({"path": "vault"}), {"configMap": {"name": "ca"}}])) == 0

test_other_values_of_the_source if {
	every token in [null, "{{ token }}"] { count(report([{"serviceAccountToken": token}])) == 0 }
}

test_two_without_a_path_are_each_reported_once if {
	count(report([token({"path": ""}), token({"path": ""})])) == 2
}
