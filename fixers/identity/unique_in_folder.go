package identity

import (
	"path"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
)

// checkUniqueInFolder refuses an extension that has a namesake in its own folder, where nothing says which of the two is applied.
// The synthetic identity has the name of the extension, so what one of them is granted the other would have as well, and
// files generated for both would have one name.
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
