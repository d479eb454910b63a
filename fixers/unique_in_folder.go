package fixers

import (
	"path"

	"github.com/salint/salint/internal/kube/objects"
)

// checkUniqueInFolder refuses an extension that has a namesake in its own folder, where nothing says which of the two is applied.
// The synthetic identity has the name of the extension, so what one of them is granted the other would have as well, and
// files generated for both would have one name.
func checkUniqueInFolder(c *Context, e *variant) error {
	for _, unit := range unitsUsingIdentity(c, e) {
		if unit.Kind != objects.PlainUnit {
			continue
		}
		for _, other := range unit.Namesakes(e.objectIn(unit)) {
			if other != e.objectIn(unit) && path.Dir(other.File) == path.Dir(e.object.File) {
				return refuse("%s is also at %s, in the same folder as %s, and both have the identity %s: "+
					"remove one of them, or list what is applied together in a kustomization",
					identityOf(other), other.Position(nil), e.object.Position(nil), subjectName(e.userSubject()))
			}
		}
	}
	return nil
}
