package salint.rules.bakery.pinned_version_test

import data.salint.rules.bakery.pinned_version

# A function in a test replaces one of salint, also for opa test, which has none of them.
mock_with_range(_) := {"pinned": false, "package_path": ["spec", "source", "catalog", "packageName"]}

mock_with_version(_) := {"pinned": true, "package_path": ["spec", "source", "catalog", "packageName"]}

test_range if {
	count(pinned_version.report) == 1 with input.resource as {} with salint.extension as mock_with_range
}

test_version if {
	count(pinned_version.report) == 0 with input.resource as {} with salint.extension as mock_with_version
}
