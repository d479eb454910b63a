package olm

import (
	"cmp"
	"slices"
	"strings"
)

// Gates of operator-controller that decide how the field is treated.
const (
	// SyntheticGate makes the account name Placeholder represent the synthetic identity.
	SyntheticGate = "SyntheticPermissions"
	// PreflightGate lets the controller check the permissions of the account before it installs anything.
	PreflightGate = "PreflightPermissions"
	// BoxcutterGate replaces the Helm runtime.
	BoxcutterGate = "BoxcutterRuntime"
	// ChartGate allows Helm charts instead of bundles.
	ChartGate = "HelmChartSupport"
	// WatchGate allows an operator to watch one namespace instead of all.
	WatchGate = "SingleOwnNamespaceInstallSupport"
	// CertManagerGate and ServiceCAGate allow webhooks, with certificates of cert-manager or of OpenShift's service CA.
	CertManagerGate = "WebhookProviderCertManager"
	ServiceCAGate   = "WebhookProviderOpenshiftServiceCA"
	// DeploymentGate allows spec.config.inline.deploymentConfig.
	DeploymentGate = "DeploymentConfig"
	// SemverGate makes each newer version of the same major version an upgrade, whatever the channels of a catalog have.
	SemverGate = "ForceSemverUpgradeConstraints"
	// ReleaseGate makes the property release of a bundle of a catalog count.
	ReleaseGate = "BundleReleaseSupport"

	// allAlphaGate and allBetaGate are known to every release (k8s.io/component-base/featuregate).
	allAlphaGate, allBetaGate = "AllAlpha", "AllBeta"
)

// gate lists the upstream releases (1.x) with a feature gate. operator-controller does not start with an unknown gate,
// whatever its value.
type gate struct {
	name string
	// first and last minor release; last is 0 for a gate that still exists.
	first, last int
	// onFrom and onThrough are the first and the last minor release in which the gate is on by default; onFrom is 0 for none, and
	// onThrough is 0 for all later ones.
	onFrom, onThrough int
}

// gates lists the feature gates. Source: internal/operator-controller/features/features.go at the tags v1.0.0 to v1.11.0.
var gates = []gate{
	{name: SemverGate, first: 0, last: 1},
	{name: PreflightGate, first: 2, last: 10},
	{name: WatchGate, first: 2, onFrom: 8, onThrough: 8},
	{name: SyntheticGate, first: 3, last: 10},
	{name: CertManagerGate, first: 3, onFrom: 6},
	{name: ServiceCAGate, first: 3, onFrom: 6},
	{name: ChartGate, first: 4, last: 10},
	{name: BoxcutterGate, first: 6},
	{name: DeploymentGate, first: 9},
	{name: ReleaseGate, first: 9},
}

// firstIgnored is the first upstream release (1.x) that ignores the field.
const firstIgnored = 11

// UnknownGates returns those of the gates that prevent operator-controller from starting on a target: gates of other releases that this release
// does not have, and for a release that is known, all that it does not have. It is empty for targets whose upstream release is unknown.
func UnknownGates(target Target, given map[string]bool) []string {
	minor, ok := upstreamMinor(target)
	if !ok {
		return nil
	}
	_, release := parseRelease(target.Name)
	exact := release && target.Assumed == ""
	var unknown []string
	for name := range given {
		has, _ := HasGate(minor, name)
		listed := slices.ContainsFunc(gates, func(g gate) bool { return g.name == name })
		if !has && (listed || exact && name != allAlphaGate && name != allBetaGate) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	return unknown
}

// HasGate reports whether operator-controller 1.minor has a gate, and whether it is on by default.
func HasGate(minor int, name string) (has, on bool) {
	for _, g := range gates {
		if g.name == name {
			has = minor >= g.first && (g.last == 0 || minor <= g.last)
			on = g.onFrom != 0 && minor >= g.onFrom && (g.onThrough == 0 || minor <= g.onThrough)
		}
	}
	return has, has && on
}

// GateSet returns the state of a gate as given gates set it, under its own name, OpenShift's, or AllAlpha; known is false if they do not.
func GateSet(given map[string]bool, name string) (on, known bool) { return gateState(given, name) }

// Enabled reports whether a gate is on: by the given gates, or by default on a target. It is false for targets whose upstream
// release is unknown.
func Enabled(target Target, given map[string]bool, name string) bool {
	if on, known := gateState(given, name); known {
		return on
	}
	minor, ok := upstreamMinor(target)
	_, on := HasGate(minor, name)
	return ok && on
}

// openshiftBases are the upstream releases (1.x) whose code the branches of OpenShift have. Source: the gates, the CRDs, and the files of
// internal/operator-controller/applier in the branches release-4.18 to release-5.1 of openshift/operator-framework-operator-controller.
var openshiftBases = map[string]int{
	"ocp-4.18": 1, "ocp-4.19": 2, "ocp-4.20": 4, "ocp-4.21": 7, "ocp-4.22": 9, "ocp-4.23": 10, "ocp-5.0": 11, "ocp-5.1": 11,
}

// BaseMinor returns the x of upstream's release 1.x that a target runs, directly or as part of OpenShift. ok is false if it is unknown, as
// for proposals and the models required and synthetic.
func BaseMinor(target Target) (minor int, ok bool) {
	name := target.Name
	if target.Assumed != "" {
		name = target.Assumed
	}
	if minor, ok = openshiftBases[name]; ok {
		return minor, true
	}
	return upstreamMinor(target)
}

// InPreview reports whether signals show OpenShift's feature set with unreleased features, which has the gates of previews on.
func InPreview(signals []Signal) bool {
	for _, s := range signals {
		if s.FeatureSet == featureSetTech || s.FeatureSet == featureSetDev {
			return true
		}
	}
	return false
}

// upstreamMinor returns the x of the release 1.x of a target. The models ignored and removed are upstream's from v1.11 on.
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

// openshiftGates are OpenShift's names of gates that are not upstream's with the prefix NewOLM. Source: openshift/api, features/features.go.
var openshiftGates = map[string]string{PreflightGate: "NewOLMPreflightPermissionChecks", WatchGate: "NewOLMOwnSingleNamespace"}

// OpenShiftGate returns OpenShift's name of a gate.
func OpenShiftGate(name string) string { return cmp.Or(openshiftGates[name], "NewOLM"+name) }

// PreAuthorizes reports whether a signal shows that operator-controller of a target checks the permissions of the account before it installs
// anything, and the signal. Upstream's gate has an effect from v1.3 on. On OpenShift, the feature sets with unreleased features have
// the gate.
func PreAuthorizes(target Target, signals []Signal) (Signal, bool) {
	const first = 3
	if minor, upstream := upstreamMinor(target); upstream && (minor < first || minor >= firstIgnored) || target.Model == Ignored || target.Model == Removed {
		return Signal{}, false
	}
	if on, known := gateState(Resolve(signals).Gates, PreflightGate); known && !on {
		return Signal{}, false
	}
	for _, s := range signals {
		on, _ := gateState(s.Gates, PreflightGate)
		preview := s.FeatureSet == featureSetTech || s.FeatureSet == featureSetDev
		if on || preview && (target.OpenShift() || target.Name == string(target.Model)) {
			return s, true
		}
	}
	return Signal{}, false
}

// gateState reports whether SyntheticGate or BoxcutterGate is on, and whether the given gates determine it. Both are alpha
// in every release that has them. OpenShift's names for gates of operator-controller have a prefix, as in
// NewOLMBoxCutterRuntime.
func gateState(given map[string]bool, name string) (on, known bool) {
	if on, known = given[name]; known {
		return on, true
	}
	if on, known = given[openshiftGates[name]]; known {
		return on, true
	}
	for other, state := range given {
		if strings.HasPrefix(other, "NewOLM") && strings.EqualFold(strings.TrimPrefix(other, "NewOLM"), name) {
			return state, true
		}
	}
	// An explicit gate takes precedence over AllAlpha in any order.
	on, known = given[allAlphaGate]
	return on, known
}

// GateState is the state of a feature.
type GateState string

// The states. A missing signal leaves the state unknown, not off.
const (
	GateOn      GateState = "on"
	GateOff     GateState = "off"
	GateUnknown GateState = "unknown"
)

// syntheticState returns the state of synthetic identities according to one signal.
func syntheticState(signal Signal) GateState {
	// Synthetic identities are implemented by the Helm runtime.
	if boxcutter, _ := gateState(signal.Gates, BoxcutterGate); boxcutter && signal.Kind == GatesSignal {
		return GateOff
	}
	switch on, known := gateState(signal.Gates, SyntheticGate); {
	case !known:
		return GateUnknown
	case on:
		return GateOn
	default:
		return GateOff
	}
}
