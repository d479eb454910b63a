# The feature gates about tokens of service accounts, by the minor versions of Kubernetes.
package salint.helpers.token.feature_gates

import data.salint.helpers.controlplane as plane

# known holds for each gate the release that added it, the first one that locks it to true, and the first one without it.
# Source: pkg/features/kube_features.go of v1.20.0 to v1.37.0; for additions before, the page of removed gates.
known := {
	"TokenRequest": {"added": 10, "locked": 20, "removed": 21},
	"TokenRequestProjection": {"added": 11, "locked": 20, "removed": 21},
	"RootCAConfigMap": {"added": 13, "locked": 21, "removed": 22},
	"BoundServiceAccountTokenVolume": {"added": 13, "locked": 22, "removed": 23},
	"ServiceAccountIssuerDiscovery": {"added": 18, "locked": 21, "removed": 23},
	"CSIServiceAccountToken": {"added": 20, "locked": 22, "removed": 25},
	"LegacyServiceAccountTokenNoAutoGeneration": {"added": 24, "locked": 27, "removed": 29},
	"LegacyServiceAccountTokenTracking": {"added": 26, "locked": 28, "removed": 30},
	"LegacyServiceAccountTokenCleanUp": {"added": 28, "locked": 30, "removed": 32},
	"ServiceAccountTokenJTI": {"added": 29, "locked": 32},
	"ServiceAccountTokenPodNodeInfo": {"added": 29, "locked": 32},
	"ServiceAccountTokenNodeBindingValidation": {"added": 29, "locked": 32},
	"ServiceAccountTokenNodeBinding": {"added": 29, "locked": 33},
	"ExternalServiceAccountTokenSigner": {"added": 32, "locked": 36},
	"CSIServiceAccountTokenSecrets": {"added": 35, "locked": 36},
}

# effective holds the entries of the flags that count: name, value, and path. A later entry about the same gate replaces an
# earlier one. Before 1.31 each flag is checked when it is read, so only entries of the same flag replace each other. Source:
# staging/src/k8s.io/component-base, featuregate/feature_gate.go (Set), compatibility/registry.go (Set).
effective(arguments, minor) := object.union_n([{key: object.union(gate, {"path": argument.path})} |
	some n, argument in arguments
	some item in plane.items(argument.value)
	gate := read(item)
	key := sprintf("%s %d", [gate.name, checked_with(n, minor)])
])

# checked_with numbers what is checked at once: a flag, or all of them.
checked_with(n, minor) := n if {
	minor >= 0
	minor < joined
} else := 0

joined := 31

# read returns an entry of --feature-gates, whose component can be named: kube:NAME=VALUE; undefined for other gates.
read(entry) := {"name": name, "value": parts[1]} if {
	parts := split(entry, "=")
	count(parts) == 2
	name := trim_prefix(trim_space(parts[0]), "kube:")
	name in object.keys(known)
}

# problem is the end of a message that begins with "… sets the feature gate …", and its severity; undefined if the release
# accepts the gate.
problem(gate, minor) := {"severity": "warning", "text": text} if {
	minor >= 0
	text := of_release(gate, known[gate.name], minor)
}

problem(gate, -1) := {"severity": "note", "text": text} if text := of_any(gate, known[gate.name])

of_release(_, times, minor) := sprintf(", which Kubernetes 1.%d no longer has (removed in 1.%d). %s", [minor, times.removed, stops]) if {
	minor >= times.removed
}

of_release(_, times, minor) := sprintf(", which Kubernetes 1.%d does not have yet (added in 1.%d). %s", [minor, times.added, stops]) if {
	minor < times.added
}

of_release(gate, times, minor) := sprintf(" to false, but Kubernetes 1.%d locks it to true (since 1.%d). %s", [minor, times.locked, stops]) if {
	minor >= times.locked
	minor < object.get(times, "removed", minor + 1)
	turned_off(gate)
}

of_any(gate, times) := sprintf(" to false, but Kubernetes locks it to true from 1.%d on. There, the program does not start.", [times.locked]) if {
	turned_off(gate)
}

of_any(gate, times) := sprintf(", which Kubernetes no longer has from 1.%d on. There, the program does not start.", [times.removed]) if {
	not turned_off(gate)
}

# turned_off is true for the values that Go reads as false.
turned_off(gate) if lower(gate.value) in ["false", "f"]

turned_off(gate) if gate.value == "0"

stops := "The program does not start."
