# The controllers of kube-controller-manager that service accounts need, and what its flag --controllers decides about them.
package salint.helpers.token.controllers

import data.salint.helpers.controlplane as plane

# known has the controllers by their present names, which Kubernetes accepts from 1.28 on. The alias is the only name before.
# Source: cmd/kube-controller-manager/names/controller_names.go and app/controllermanager.go of v1.20.0 to v1.37.0.
known := {
	"serviceaccount-controller": {
		"alias": "serviceaccount", "severity": "warning",
		"effect": "New namespaces get no account `default`, so pods that name no account are rejected there",
	},
	"root-ca-certificate-publisher-controller": {
		"alias": "root-ca-cert-publisher", "severity": "warning",
		"effect": "New namespaces lack ConfigMap `kube-root-ca.crt`, so pods with a token do not start there",
	},
	"serviceaccount-token-controller": {
		"alias": "serviceaccount-token", "severity": "note",
		"effect": "Secrets of type kubernetes.io/service-account-token get no token",
	},
	"legacy-serviceaccount-token-cleaner-controller": {
		"alias": "legacy-service-account-token-cleaner", "severity": "note", "since": 29,
		"effect": "Generated token Secrets that are not used remain valid",
	},
}

# renamed is the first release that accepts the present names.
renamed := 28

# entries are those of all lists of the flag, in their order.
entries(arguments) := [{"text": item, "path": argument.path} |
	some argument in arguments
	some item in plane.items(argument.value)
]

# disabled is undefined for a controller that runs. Otherwise it is the place of the cause and the entry that disables the
# controller, which is "" if it is only left out.
disabled(list, name, minor) := {"path": chosen[0].path, "entry": chosen[0].text} if {
	exists(name, minor)
	chosen := [entry | some entry in list; trim_prefix(entry.text, "-") in names(name, minor)]
	startswith(chosen[0].text, "-")
}

disabled(list, name, minor) := {"path": list[0].path, "entry": ""} if {
	not known[name].since # lists of older releases leave it out
	every entry in list {
		entry.text != "*"
		not trim_prefix(entry.text, "-") in names(name, minor)
	}
	some entry in list
	trim_suffix(entry.text, "-controller") in creators
}

# exists is false for a controller that the release does not have.
exists(name, minor) if minor >= object.get(known[name], "since", 0)

exists(_, -1)

names(name, minor) := {name, known[name].alias} if {
	accepts_present(minor)
} else := {known[name].alias}

spelled(name, minor) := name if {
	minor >= renamed
} else := known[name].alias

accepts_present(minor) if minor >= renamed

accepts_present(-1)

# creators are the controllers that create pods, without their suffix.
creators := {"replicaset", "replicationcontroller", "daemonset", "statefulset", "job"}
