package olm

import (
	"fmt"
	"strings"
)

// Conflict is a sign that cannot be true together with another one, or with the target asked for.
type Conflict struct {
	// Sign is the lighter sign, the one to look at first.
	Sign Sign
	// With is the heavier sign; nil when the sign contradicts the target asked for.
	With *Sign
	// Reason says in one sentence what does not fit.
	Reason string
}

// Against lists the signs that contradict a target that was asked for, as when a CRD in the repository still requires
// the field.
func Against(target Target, signs []Sign) []Conflict {
	var conflicts []Conflict
	for _, sign := range signs {
		if contradicts(sign, target) {
			reason := fmt.Sprintf("%s; under the target %s it is %s", sign.claim(), target.Name, target.Model.phrase())
			conflicts = append(conflicts, Conflict{Sign: sign, Reason: reason})
		}
		if unknown := UnknownGates(target, sign.Gates); sign.Kind == GatesSign && len(unknown) > 0 {
			conflicts = append(conflicts, Conflict{Sign: sign, Reason: stopReason(sign, unknown, target)})
		}
	}
	return conflicts
}

// contradicts tells whether a sign speaks for another model. A feature set does not contradict: it stands for a
// proposal, or for what was shipped until now. Nor does a release that has no row in the table, for its model is a
// guess.
func contradicts(sign Sign, target Target) bool {
	return sign.Target.Name != "" && sign.Kind != FeatureSetSign && sign.Target.Model != target.Model &&
		sign.Target.listed() && target.listed()
}

// conflictsAmong compares every sign with the one that decided, and the gates with the release of their own image.
func conflictsAmong(ordered []Sign, result Resolution) []Conflict {
	var conflicts []Conflict
	images := imagesByObject(ordered)
	for _, sign := range ordered {
		if contradicts(sign, result.Sign.Target) {
			reason := sign.claim() + "; but " + result.Sign.claim()
			conflicts = append(conflicts, Conflict{Sign: sign, With: &result.Sign, Reason: reason})
		}
		if sign.Kind != GatesSign {
			continue
		}
		// The tag of the image in the same object says best which gates are known, else what the unit comes to.
		with, target := result.Sign, result.Target
		if image, found := images[sign.Ref]; found {
			with, target = image, image.Target
		}
		if unknown := UnknownGates(target, sign.Gates); len(unknown) > 0 {
			conflicts = append(conflicts, Conflict{Sign: sign, With: &with, Reason: stopReason(sign, unknown, target)})
		}
	}
	return append(conflicts, gateConflicts(ordered)...)
}

// imagesByObject gives the image sign of each object that has one.
func imagesByObject(ordered []Sign) map[string]Sign {
	images := map[string]Sign{}
	for _, sign := range ordered {
		if _, found := images[sign.Ref]; !found && sign.Kind == ImageSign {
			images[sign.Ref] = sign
		}
	}
	return images
}

// gateConflicts finds the flags that turn synthetic identities on where the first one turns them off, or the other way.
func gateConflicts(ordered []Sign) []Conflict {
	var conflicts []Conflict
	var first *Sign
	for _, sign := range ordered {
		state := syntheticState(sign)
		if sign.Kind != GatesSign || state == GateUnknown {
			continue
		}
		if first == nil {
			first = &sign
		} else if state != syntheticState(*first) {
			reason := fmt.Sprintf("%s: there synthetic identities are %s; but %s: there they are %s",
				sign.Description, state, first.Description, syntheticState(*first))
			conflicts = append(conflicts, Conflict{Sign: sign, With: first, Reason: reason})
		}
	}
	return conflicts
}

func stopReason(sign Sign, unknown []string, target Target) string {
	gates := "the gate " + unknown[0]
	if len(unknown) > 1 {
		gates = "the gates " + strings.Join(unknown, ", ")
	}
	return fmt.Sprintf("%s, but %s does not know %s: operator-controller will not start, whatever the value",
		sign.Description, releaseWords(target), gates)
}

// releaseWords names the release for a message. The bare models that gates are judged by are upstream's from v1.11 on.
func releaseWords(target Target) string {
	if _, ok := parseRelease(target.Name); ok {
		return target.Name
	}
	return fmt.Sprintf("operator-controller from v1.%d on", firstIgnored)
}

// claim says what a sign says of the field. The description of a CRD says so itself.
func (s Sign) claim() string {
	if s.Kind == CRDSign {
		return s.Description
	}
	return s.Description + ", where the field is " + s.Target.Model.phrase()
}

// phrase says how the model treats the field, behind "the field is".
func (m Model) phrase() string {
	switch m {
	case Required:
		return "required"
	case Synthetic:
		return "optional"
	case Ignored:
		return "ignored"
	default:
		return "gone"
	}
}
