package salint.rules.olm.version_invalid_test

import data.salint.rules.olm.version_invalid as rule
import data.salint.testing

report(problem) := found if {
	extension := object.union(testing.extension(harbor), {"version": "latest", "version_problem": problem})
	found := rule.report with input as testing.judge("required", {"a.yaml": [harbor]}, "a.yaml#0/")
		with salint.extension as extension
}

harbor := testing.cluster_extension("harbor", testing.installed_as("installer"))

test_rejected if {
	some finding in report("the API server rejects it")
	finding.path == ["spec", "source", "catalog", "version"]
	finding.message == "ClusterExtension harbor requests the version \"latest\": the API server rejects it. Set a version or a range, such as 1.2.3 or 1.x."
}

test_accepted if count(report("")) == 0
