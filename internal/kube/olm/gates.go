package olm

import (
	"slices"
	"strings"
)

// Gates of operator-controller that decide how the field is treated.
const (
	// SyntheticGate makes the account name Placeholder stand for the synthetic identity.
	SyntheticGate = "SyntheticPermissions"
	// BoxcutterGate replaces the Helm runtime.
	BoxcutterGate = "BoxcutterRuntime"

	allAlphaGate = "AllAlpha"
)

// gate says which upstream releases (1.x) know a feature gate. operator-controller does not start with a gate that it
// does not know, whatever its value.
type gate struct {
	name string
	// first and last minor release; last is 0 for a gate that is still there.
	first, last int
}

// gates lists them. Source: internal/operator-controller/features/features.go at the tags v1.0.0 to v1.11.0.
var gates = []gate{
	{name: "ForceSemverUpgradeConstraints", first: 0, last: 1},
	{name: "PreflightPermissions", first: 2, last: 10},
	{name: "SingleOwnNamespaceInstallSupport", first: 2},
	{name: SyntheticGate, first: 3, last: 10},
	{name: "WebhookProviderCertManager", first: 3},
	{name: "WebhookProviderOpenshiftServiceCA", first: 3},
	{name: "HelmChartSupport", first: 4, last: 10},
	{name: BoxcutterGate, first: 6},
	{name: "DeploymentConfig", first: 9},
	{name: "BundleReleaseSupport", first: 9},
}

// firstIgnored is the upstream release (1.x) from which on the field is ignored.
const firstIgnored = 11

// UnknownGates lists those of the gates that keep operator-controller from starting on a target: gates that other
// releases know and this one does not. It is empty for targets of which the upstream release is not known.
func UnknownGates(target Target, given map[string]bool) []string {
	minor, ok := upstreamMinor(target)
	if !ok {
		return nil
	}
	var unknown []string
	for _, g := range gates {
		if _, set := given[g.name]; set && (minor < g.first || g.last != 0 && minor > g.last) {
			unknown = append(unknown, g.name)
		}
	}
	slices.Sort(unknown)
	return unknown
}

// upstreamMinor returns the x of the release 1.x that a target stands for. The models ignored and removed are upstream's
// from v1.11 on.
func upstreamMinor(target Target) (int, bool) {
	r, ok := parseRelease(target.Name)
	switch {
	case ok && r.family == upstream && r.major > 1:
		return 9999, true
	case ok && r.family == upstream:
		return r.minor, true
	case target.Name == string(Ignored), target.Name == string(Removed):
		return firstIgnored, true
	default:
		return 0, false
	}
}

// gateState reports whether SyntheticGate or BoxcutterGate is on, and whether the given gates say so at all. Both are
// alpha in every release that has them. OpenShift's names for gates of operator-controller have a prefix, as in
// NewOLMBoxCutterRuntime.
func gateState(given map[string]bool, name string) (on, known bool) {
	if on, known = given[name]; known {
		return on, true
	}
	for other, state := range given {
		if strings.HasPrefix(other, "NewOLM") && strings.EqualFold(strings.TrimPrefix(other, "NewOLM"), name) {
			return state, true
		}
	}
	// An explicit gate wins over AllAlpha in whatever order they are given.
	on, known = given[allAlphaGate]
	return on, known
}

// GateState reports whether a feature is on.
type GateState string

// The states. A sign that is missing leaves the state unknown; it does not make it off.
const (
	GateOn      GateState = "on"
	GateOff     GateState = "off"
	GateUnknown GateState = "unknown"
)

// syntheticState tells what one sign says about synthetic identities.
func syntheticState(sign Sign) GateState {
	// The code that knows synthetic identities belongs to the Helm runtime.
	if boxcutter, _ := gateState(sign.Gates, BoxcutterGate); boxcutter && sign.Kind == GatesSign {
		return GateOff
	}
	switch on, known := gateState(sign.Gates, SyntheticGate); {
	case !known:
		return GateUnknown
	case on:
		return GateOn
	default:
		return GateOff
	}
}
