package judging

import "strings"

// distinguishVariants gives different fingerprints to findings that would share one although several units apply their objects, or
// apply them under several names. It changes the fingerprints of all of them, because a baseline with the shared fingerprint does
// not show which of them it means.
func distinguishVariants(found []Finding) {
	sharing := map[string][]int{}
	for i, f := range found {
		found[i].Variant = appliedIn(f)
		print := f.Fingerprint()
		sharing[print] = append(sharing[print], i)
	}
	for _, group := range sharing {
		parts := map[string]bool{}
		for _, i := range group {
			parts[found[i].Variant] = true
		}
		for _, i := range group {
			if len(parts) > 1 {
				found[i].AppliedBy = found[i].Variant
			}
		}
	}
}

// appliedIn returns the unit of a finding and the name of its object in the unit, as one string.
func appliedIn(f Finding) string {
	return strings.Join([]string{f.Unit.String(), f.Resource.Namespace, f.Resource.Name}, "\x00")
}
