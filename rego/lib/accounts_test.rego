package salint.lib.accounts_test

import data.salint.lib.accounts
import data.salint.testing

missing(name, namespace, files) if {
	accounts.missing(name, namespace) with input as testing.judge("ignored", files, "a.yaml#0/")
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.bringers as []
}

beside(account) := {"a.yaml": [testing.service_account("shop", "web"), account]}

siblings := {"a.yaml": [testing.service_account("shop", "web")]}

test_missing_beside_others if missing("worker", "shop", siblings)

test_created if not missing("worker", "shop", beside(testing.service_account("shop", "worker")))

test_created_in_a_namespace_that_is_not_known if {
	every namespace in ["", "${NAMESPACE}"] {
		not missing("worker", "shop", beside(testing.service_account(namespace, "worker")))
	}
}

test_created_elsewhere_is_not_here if missing("worker", "shop", beside(testing.service_account("bank", "worker")))

test_names_that_are_filled_in_later if {
	not missing("${WORKER}", "shop", siblings)
	not missing("worker", "${SHOP}", siblings)
	not missing("worker", "shop", beside(testing.service_account("shop", "${NAME}")))
}

test_unknown_namespace if not missing("worker", "", siblings)

test_accounts_that_are_always_there if {
	every name in ["default", "builder", "deployer", "pipeline"] { not missing(name, "shop", siblings) }
	not missing("worker", "shop", {"a.yaml": [testing.service_account("shop", "default")]})
}

test_namespaces_of_the_platform if {
	every namespace in ["kube-system", "openshift-monitoring", "openshift"] {
		not missing("worker", namespace, {"a.yaml": [testing.service_account(namespace, "web")]})
	}
}

test_nothing_known_of_the_namespace if not missing("worker", "shop", {"a.yaml": [testing.service_account("bank", "web")]})

test_brought if {
	world := testing.judge("ignored", siblings, "a.yaml#0/")
	not accounts.missing("worker", "shop") with input as world
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.bringers as ["chart.yaml#0/"]
}

test_not_whole if {
	world := testing.judge("ignored", siblings, "a.yaml#0/")
	every unit in [{"remotes": [{}]}, {"transforms": [{}]}, {"problems": [{}]}] {
		not accounts.missing("worker", "shop") with input as object.union(world, {"unit": unit})
			with salint.find as testing.find
			with salint.anywhere as testing.anywhere
			with salint.bringers as []
	}
}
