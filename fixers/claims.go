package fixers

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/kube/objects"
)

// claim finds the entry of a kustomization that reads a file as something else than objects: a patch, the content of a
// generated ConfigMap. What is made of it in a unit that is built is compared when the fix is proven.
func (c *Context) claim(file string) (objects.NonObjectInput, bool) {
	for _, unit := range c.Units {
		if unit.Built {
			continue
		}
		for _, claim := range unit.NonObjectInputs {
			if claim.Covers(file) {
				return claim, true
			}
		}
	}
	return objects.NonObjectInput{}, false
}

// isPatch tells whether a kustomization reads a file as a patch or something like it.
func (c *Context) isPatch(file string) bool {
	return slices.ContainsFunc(c.kustomizations(), func(k *objects.Kustomization) bool {
		return slices.ContainsFunc(k.NonObjectInputs, func(claim objects.NonObjectInput) bool { return claim.File == file && !claim.Content() })
	})
}

// refuseClaimed refuses the plans that have a hand in a file which a kustomization also reads as something else: what it
// builds would change with the file, and fail without it.
func (s *settling) refuseClaimed(f FileChange, claim objects.NonObjectInput) {
	reason := fmt.Sprintf("%s at %s reads %s as well, so what is built there would change too: change the file by hand, "+
		"and compare the output of kustomize build before and after", claim.Field, claim.Position, f.Path)
	for _, p := range f.Plans {
		if !slices.ContainsFunc(s.refused, func(r Refused) bool { return r.Plan == p }) {
			s.refused = append(s.refused, Refused{p, reason})
		}
	}
}
