package verify

import (
	"fmt"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
)

// claimed finds files that change or go although a kustomization reads them as something else than objects, in units that
// are not built. What is made of them there would be another thing, and nobody would see it.
func claimed(units []*objects.Unit, changes []engine.FileChange) []fault {
	var faults []fault
	for _, change := range changes {
		if claim, ok := claimOn(units, change.Path); ok {
			faults = append(faults, fault{change.Plans, fmt.Sprintf("%s at %s reads %s, which would change",
				claim.Field, claim.Position, change.Path)})
		}
	}
	return faults
}

func claimOn(units []*objects.Unit, file string) (objects.NonObjectInput, bool) {
	for _, unit := range units {
		if unit.Built {
			continue // what is made of the file is compared
		}
		for _, claim := range unit.NonObjectInputs {
			if claim.Covers(file) {
				return claim, true
			}
		}
	}
	return objects.NonObjectInput{}, false
}
