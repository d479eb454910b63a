package bundlesupport

import (
	"cmp"
	"fmt"

	"github.com/salint/salint/internal/kube/olm"
)

// Release is the operator-controller of a target, with its feature gates. The zero value is an unknown release: the newest known code is
// assumed, with all gates on.
type Release struct {
	name      string
	minor     int
	openshift bool
	gates     map[string]bool
	// preview is set with OpenShift's feature set of unreleased features.
	preview bool
	// crd is whether the CRD of the repository has spec.config.
	crd olm.FieldState
}

// Of returns the release of a target, with the gates that signals show.
func Of(target olm.Target, signals []olm.Signal) Release {
	minor, known := olm.BaseMinor(target)
	if !known {
		return Release{}
	}
	return Release{
		name: target.Name, minor: minor, openshift: target.OpenShift(), gates: olm.Resolve(signals).Gates, preview: olm.InPreview(signals),
		crd: olm.ConfigField(signals),
	}
}

// Known reports whether the release is known.
func (r Release) Known() bool { return r.name != "" }

// Key identifies the release and its gates.
func (r Release) Key() string { return fmt.Sprint(r.name, r.minor, r.gates, r.preview, r.crd) }

// String returns the name of the release in messages.
func (r Release) String() string { return cmp.Or(r.name, "the release") }

// gateOn reports whether a gate is on: by signals, by the feature set, or by default. OpenShift turns the gate of watched namespaces on
// with a feature set only, whatever upstream's default is (openshift/api, features/features.go, release-4.19 to release-5.1), and no set
// turns on the configuration of deployments (openshift/operator-framework-operator-controller, manifests-experimental.yaml).
func (r Release) gateOn(name string) bool {
	if !r.Known() {
		return true
	}
	if on, known := olm.GateSet(r.gates, name); known {
		return on
	}
	has, on := olm.HasGate(r.minor, name)
	switch {
	case r.openshift && name == olm.DeploymentGate:
		return false
	case r.openshift && r.preview:
		return has
	case r.openshift && name == olm.WatchGate:
		return false
	}
	return on
}

// turnOn returns how to turn on a gate.
func (r Release) turnOn(gate string) string {
	if r.openshift {
		return "turn on the feature gate " + olm.OpenShiftGate(gate) + " (OpenShift's feature set TechPreviewNoUpgrade has it)"
	}
	return fmt.Sprintf("turn on the feature gate %s of operator-controller", gate)
}
