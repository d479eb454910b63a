package salint.helpers.accounts_test

import data.salint.helpers.accounts
import data.salint.testing

missing(name, namespace, files) if {
	accounts.missing(name, namespace) with input as testing.judge("ignored", files, "a.yaml#0/")
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.bringers as []
		with salint.ref as "a.yaml#0/"
}

beside(account) := {"a.yaml": [testing.service_account("shop", "web"), account]}

siblings := {"a.yaml": [testing.service_account("shop", "web")]}

test_missing_beside_others if missing("worker", "shop", siblings)

test_created if not missing("worker", "shop", beside(testing.service_account("shop", "worker")))

test_created_in_a_namespace_that_is_not_known if {
	every namespace in ["", "${NAMESPACE}", "release-namespace"] {
		not missing("worker", "shop", beside(testing.service_account(namespace, "worker")))
	}
}

test_created_elsewhere_is_not_here if missing("worker", "shop", beside(testing.service_account("bank", "worker")))

test_names_that_are_filled_in_later if {
	not missing("${WORKER}", "shop", siblings)
	not missing("worker", "${SHOP}", siblings)
	not missing("worker", "shop", beside(testing.service_account("shop", "${NAME}")))
}

test_unknown_namespace if {
	every namespace in ["", "release-namespace"] {
		not missing("worker", namespace, siblings)
		missing("worker", namespace, {"a.yaml": [testing.service_account(namespace, "web")]})
		not missing("web", namespace, {"a.yaml": [testing.service_account(namespace, "web")]})
		not missing("default", namespace, {"a.yaml": [testing.service_account(namespace, "web")]})
		not missing("worker", namespace, {"a.yaml": [testing.service_account(namespace, "web"), testing.service_account("bank", "worker")]})
		not missing("worker", namespace, {"a.yaml": [testing.service_account(namespace, "web"), testing.service_account("bank", "${NAME}")]})
		not missing("worker", namespace, {"a.yaml": [testing.service_account(namespace, "default")]})
		not missing("worker", namespace, {"a.yaml": [testing.service_account("bank", "x")], "b/a.yaml": [testing.service_account(namespace, "web")]})
		not unseen("worker", namespace, siblings)
	}
}

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

# Some operators create accounts of fixed names, in the namespace into which they install.
test_made_with_fixed_names if {
	tekton := made_for({"group": "operator.tekton.dev", "kind": "TektonConfig"}, "config", "")
	made("tekton-pipelines-controller", "openshift-pipelines", tekton)
	not made("tekton-pipelines-controller", "shop", tekton)
	not made("web", "openshift-pipelines", tekton)
	serving := made_for({"group": "operator.knative.dev", "kind": "KnativeServing"}, "serving", "knative-serving")
	made("activator", "knative-serving", serving)
	not made("activator", "shop", serving)
}

made(name, namespace, files) if {
	accounts.made(name, namespace) with input as testing.judge("ignored", files, "a.yaml#0/")
		with salint.anywhere as testing.anywhere
}

# An operator creates accounts that are named after its objects, in their namespace.
made_for(kind, name, namespace) := object.union(siblings, {"b.yaml": [{
	"apiVersion": sprintf("%s/v1", [kind.group]), "kind": kind.kind, "metadata": {"name": name, "namespace": namespace},
}]})

test_made_by_an_operator if {
	every kind in [kind | some kind in accounts.makers; not kind.names] {
		every name in ["traces", "traces-collector"] {
			not missing(name, "shop", made_for(kind, "traces", "shop"))
			not unseen(name, "shop", made_for(kind, "traces", "shop"))
			not missing(name, "shop", made_for(kind, "traces", ""))
			not missing(name, "shop", made_for(kind, "${NAME}", "shop"))
		}
	}
}

test_not_made_by_an_operator if {
	every kind in accounts.makers {
		missing("tracesbot", "shop", made_for(kind, "traces", "shop"))
		missing("collector", "shop", made_for(kind, "traces", "shop"))
		missing("traces-collector", "shop", made_for(kind, "traces", "bank"))
	}
}

unseen(name, namespace, files) if {
	accounts.unseen(name, namespace) with input as testing.judge("ignored", files, "a.yaml#0/")
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.bringers as []
}

test_accounts_of_olm if {
	files := {"a.yaml": [testing.service_account("olmv1-system", "web")]}
	every name in ["operator-controller-controller-manager", "catalogd-controller-manager"] {
		not missing(name, "olmv1-system", files)
		not unseen(name, "olmv1-system", elsewhere)
		missing(name, "shop", siblings)
	}
	missing("controller-manager", "olmv1-system", files)
}

test_unseen if {
	unseen("worker", "shop", elsewhere)
	not unseen("worker", "shop", beside(testing.service_account("shop", "worker")))
}

elsewhere := {"a.yaml": [testing.service_account("bank", "web")]}
