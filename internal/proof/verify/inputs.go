package verify

import (
	"fmt"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
)

// changedInputs returns violations for changed or removed files that a kustomization reads as something other than objects: the result
// would change without being compared.
func changedInputs(units []*objects.Unit, changes []engine.FileChange) []violation {
	var violations []violation
	for _, change := range changes {
		if claim, ok := engine.UncomparedInput(units, change.Path); ok {
			violations = append(violations, violation{change.Plans, fmt.Sprintf("%s at %s reads %s, which would change",
				claim.Field, claim.Position, change.Path)})
		}
	}
	return violations
}
