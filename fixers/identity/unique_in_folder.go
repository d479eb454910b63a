package identity

import (
	"path"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
)

// checkUniqueInFolder refuses an extension with a namesake in its folder, because it is unknown which of the two is applied.
// Both have the same synthetic identity, so a grant to one is a grant to the other, and their generated files have the same
// name.
func checkUniqueInFolder(c *engine.Context, e *Variant) error {
	for _, unit := range UnitsUsingIdentity(c, e) {
		if unit.Kind != objects.PlainUnit {
			continue
		}
		for _, other := range unit.Namesakes(e.objectIn(unit)) {
			if other != e.objectIn(unit) && path.Dir(other.File) == path.Dir(e.Object.File) {
				return engine.Refuse("%s is also at %s, in the folder of %s, and both have the identity %s: remove one of "+
					"them, or list the objects that are applied together in a kustomization",
					engine.NameOf(other), other.Position(nil), e.Object.Position(nil), engine.SubjectName(e.UserSubject()))
			}
		}
	}
	return nil
}
