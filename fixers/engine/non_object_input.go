package engine

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/kube/objects"
)

// UncomparedInput returns the entry of a kustomization that reads a file as something other than objects, such as a patch, so that a
// change of the file has an effect that no comparison of the units shows: they are not built, or the file is the content of a generated
// object. Only some of these are kept.
func UncomparedInput(units []*objects.Unit, file string) (input objects.NonObjectInput, found bool) {
	for _, unit := range units {
		for _, input := range unit.NonObjectInputs {
			if input.Covers(file) && (!unit.Built || input.Content()) {
				return input, true
			}
		}
	}
	return objects.NonObjectInput{}, false
}

// isPatch reports whether a kustomization reads a file as a patch, a replacement, or a transformer.
func (c *Context) isPatch(file string) bool {
	return slices.ContainsFunc(c.Repo.Kustomizations(), func(k *objects.Kustomization) bool {
		return slices.ContainsFunc(k.NonObjectInputs, func(claim objects.NonObjectInput) bool { return claim.File == file && !claim.Content() })
	})
}

// refuseNonObjectInput refuses the plans that change a file which a kustomization also reads as something other than objects:
// the output of the build would change with the file.
func (m *merger) refuseNonObjectInput(f FileChange, claim objects.NonObjectInput) {
	reason := fmt.Sprintf("%s at %s also reads %s, so the output of that build would change: change the file by hand"+CompareBuilds, claim.Field, claim.Position, f.Path)
	for _, p := range f.Plans {
		if !slices.ContainsFunc(m.refused, func(r Refused) bool { return r.Plan == p }) {
			m.refused = append(m.refused, Refused{p, reason})
		}
	}
}
