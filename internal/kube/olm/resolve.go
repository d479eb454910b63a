package olm

import (
	"cmp"
	"slices"
)

// Resolution is what the signs of one deployment unit come to.
type Resolution struct {
	// Target is what the signs speak for. Where the deciding sign knows the model and not the release, the release is
	// that of the next sign that agrees with it.
	Target Target
	// Known tells that there was a sign that names a target. Without one Target and Sign are zero.
	Known bool
	// Sign is the sign that decided the model.
	Sign Sign
	// Synthetic reports whether synthetic identities are on, and SyntheticSign which sign says so; it is zero when the
	// state is unknown.
	Synthetic     GateState
	SyntheticSign Sign
	// Gates are the feature gates of all signs taken together, those of a heavier sign over those of a lighter one.
	Gates map[string]bool
}

// Resolve weighs the signs of one deployment unit. The result does not depend on the order of signs that differ in
// weight or model.
func Resolve(signs []Sign) Resolution {
	ordered := slices.Clone(signs)
	slices.SortStableFunc(ordered, heavierFirst)
	result := Resolution{Synthetic: GateUnknown, Gates: mergeGates(ordered)}
	for _, sign := range ordered {
		switch {
		case sign.Target.Name == "":
		case !result.Known:
			result.Known, result.Sign, result.Target = true, sign, sign.Target
		default:
			result.Target = refine(result.Target, sign.Target)
		}
	}
	result.Synthetic, result.SyntheticSign = resolveSynthetic(ordered)
	return result
}

// heavierFirst orders signs by weight. Of two that weigh the same the one wins under which fewer manifests are changed:
// a field that is kept for nothing does less harm than one that is missing.
func heavierFirst(a, b Sign) int {
	return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(modelRank[a.Target.Model], modelRank[b.Target.Model]))
}

var modelRank = map[Model]int{Required: 0, Synthetic: 1, Ignored: 2, Removed: 3}

// refine names the release of a bare model, where a further sign has one with the same model.
func refine(decided, other Target) Target {
	if _, ok := parseRelease(other.Name); ok && decided.Name == string(decided.Model) && decided.Model == other.Model {
		return other
	}
	return decided
}

// mergeGates returns the flag of operator-controller precedence: what OpenShift's gates come to is passed on in it.
func mergeGates(ordered []Sign) map[string]bool {
	all := map[string]bool{}
	for _, kind := range []SignKind{GatesSign, FeatureSetSign} {
		for _, sign := range ordered {
			if sign.Kind != kind {
				continue
			}
			for name, on := range sign.Gates {
				if _, set := all[name]; !set {
					all[name] = on
				}
			}
		}
	}
	return all
}

// resolveSynthetic believes the flag before the feature set. Two flags that contradict each other leave it unknown.
func resolveSynthetic(ordered []Sign) (GateState, Sign) {
	for _, kind := range []SignKind{GatesSign, FeatureSetSign} {
		state, found := GateUnknown, Sign{}
		for _, sign := range ordered {
			if sign.Kind != kind {
				continue
			}
			switch s := syntheticState(sign); {
			case s == GateUnknown, s == state:
			case state == GateUnknown:
				state, found = s, sign
			default:
				return GateUnknown, Sign{}
			}
		}
		if state != GateUnknown {
			return state, found
		}
	}
	return GateUnknown, Sign{}
}
