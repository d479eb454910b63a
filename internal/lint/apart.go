package lint

import "strings"

// tellApart gives findings which share a fingerprint, although they are about objects that are applied by several units or
// under several names, what makes theirs different. All of them get it: whichever of them a baseline knows, it is not certain
// that it is this one.
func tellApart(found []judged) {
	sharing := map[string][]int{}
	for i, f := range found {
		print := f.Fingerprint()
		sharing[print] = append(sharing[print], i)
	}
	for _, group := range sharing {
		parts := map[string]bool{}
		for _, i := range group {
			parts[appliedIn(found[i])] = true
		}
		for _, i := range group {
			if len(parts) > 1 {
				found[i].AppliedBy = appliedIn(found[i])
			}
		}
	}
}

// appliedIn names the unit of a finding, and its object as the unit applies it.
func appliedIn(f judged) string {
	return strings.Join([]string{f.unit.String(), f.Resource.Namespace, f.Resource.Name}, "\x00")
}
