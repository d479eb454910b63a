package olm

import (
	"cmp"
	"slices"
)

// Resolution is the result of the signals of one deployment unit.
type Resolution struct {
	// Target is the detected target. If the deciding signal identifies the model and not the release, the release is that
	// of the next signal that agrees with it.
	Target Target
	// Known is true if a signal names a target. Otherwise Target and Signal are zero.
	Known bool
	// Signal is the signal that decided the model.
	Signal Signal
	// Synthetic reports whether synthetic identities are on, and SyntheticSignal is the signal for it; it is zero if the
	// state is unknown.
	Synthetic       GateState
	SyntheticSignal Signal
	// Gates are the feature gates of all signals combined; heavier signals take precedence over lighter ones.
	Gates map[string]bool
}

// Resolve combines the signals of one deployment unit. The result does not depend on the order of signals that differ in
// weight or model.
func Resolve(signals []Signal) Resolution {
	ordered := slices.Clone(signals)
	slices.SortStableFunc(ordered, byWeight)
	result := Resolution{Synthetic: GateUnknown, Gates: mergeGates(ordered)}
	for _, signal := range ordered {
		switch {
		case signal.Target.Name == "":
		case !result.Known:
			result.Known, result.Signal, result.Target = true, signal, signal.Target
		default:
			result.Target = addRelease(result.Target, signal.Target)
		}
	}
	result.Synthetic, result.SyntheticSignal = resolveSynthetic(ordered)
	return result
}

// byWeight orders signals by weight. Of two with the same weight, the one that causes fewer changes to manifests comes
// first: a field that is kept without need does less harm than a missing one.
func byWeight(a, b Signal) int {
	return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(modelRank[a.Target.Model], modelRank[b.Target.Model]))
}

var modelRank = map[Model]int{Required: 0, Synthetic: 1, Ignored: 2, Removed: 3}

// addRelease returns the release of a bare model, if a further signal names one with the same model.
func addRelease(decided, other Target) Target {
	if _, ok := parseRelease(other.Name); ok && decided.Name == string(decided.Model) && decided.Model == other.Model {
		return other
	}
	return decided
}

// mergeGates combines the gates. The flag of operator-controller takes precedence, because OpenShift passes its gates on
// with that flag.
func mergeGates(ordered []Signal) map[string]bool {
	all := map[string]bool{}
	for _, kind := range []SignalKind{GatesSignal, FeatureSetSignal} {
		for _, signal := range ordered {
			if signal.Kind != kind {
				continue
			}
			for name, on := range signal.Gates {
				if _, set := all[name]; !set {
					all[name] = on
				}
			}
		}
	}
	return all
}

// resolveSynthetic prefers the flag to the feature set. Two contradicting flags leave the state unknown.
func resolveSynthetic(ordered []Signal) (GateState, Signal) {
	for _, kind := range []SignalKind{GatesSignal, FeatureSetSignal} {
		state, found := GateUnknown, Signal{}
		for _, signal := range ordered {
			if signal.Kind != kind {
				continue
			}
			switch s := syntheticState(signal); {
			case s == GateUnknown, s == state:
			case state == GateUnknown:
				state, found = s, signal
			default:
				return GateUnknown, Signal{}
			}
		}
		if state != GateUnknown {
			return state, found
		}
	}
	return GateUnknown, Signal{}
}
