package salint.rules.bakery.admin_until_test

import data.salint.rules.bakery.admin_until

binding(annotations) := {"metadata": {"annotations": annotations}, "roleRef": {"name": "cluster-admin"}}

# The seconds of the times in these tests.
mock_seconds(instant) := {
	"2026-03-01T09:00:00Z": 1772355600,
	"2026-03-01T23:59:59Z": 1772409599,
	"2026-02-28T23:59:59Z": 1772323199,
}[instant]

test_without_date if {
	count(admin_until.report) == 1 with input.resource as binding({})
		with input.now as "2026-03-01T09:00:00Z"
		with salint.seconds as mock_seconds
}

test_last_day if {
	count(admin_until.report) == 0 with input.resource as binding({"bakery.example/admin-until": "2026-03-01"})
		with input.now as "2026-03-01T09:00:00Z"
		with salint.seconds as mock_seconds
}

test_over if {
	count(admin_until.report) == 1 with input.resource as binding({"bakery.example/admin-until": "2026-02-28"})
		with input.now as "2026-03-01T09:00:00Z"
		with salint.seconds as mock_seconds
}

test_no_date if {
	count(admin_until.report) == 1 with input.resource as binding({"bakery.example/admin-until": "soon"})
		with input.now as "2026-03-01T09:00:00Z"
		with salint.seconds as mock_seconds
}
