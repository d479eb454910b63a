package judging

import (
	"fmt"
	"path"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// unlistedFiles returns the files with an extension that a kustomization omits, probably by mistake: the kustomization is in their
// folder or lists other files of the folder, and nothing applies them.
func unlistedFiles(units []*objects.Unit) []loader.Problem {
	lists := kustomizationsByFolder(units)
	var problems []loader.Problem
	for _, unit := range units {
		if unit.Kind != objects.PlainUnit {
			continue
		}
		reported := ""
		for _, o := range unit.Objects { // sorted by file
			k := lists[path.Dir(o.File)]
			if k == nil || o.File == reported || !isExtension(o) {
				continue
			}
			reported = o.File
			problems = append(problems, loader.Problem{Position: o.Position(nil), Message: fmt.Sprintf(
				"%s does not list this file, and nothing else in the repository applies it: %s %s was checked as a plain file",
				k.Path, o.Kind, o.Name)})
		}
	}
	return problems
}

// kustomizationsByFolder returns the kustomization that is in a folder, or otherwise one that lists a file of it.
func kustomizationsByFolder(units []*objects.Unit) map[string]*objects.Kustomization {
	lists := map[string]*objects.Kustomization{}
	for _, unit := range units {
		for _, k := range unit.Kustomizations {
			for _, entry := range k.Resources {
				if folder := path.Dir(entry.Target); path.Ext(entry.Target) != "" && lists[folder] == nil {
					lists[folder] = k
				}
			}
		}
	}
	for _, unit := range units { // the kustomization in the folder takes precedence
		for _, k := range unit.Kustomizations {
			lists[k.Dir] = k
		}
	}
	return lists
}

func isExtension(o *objects.Object) bool {
	_, ok := olm.ReadExtension(o.Node)
	return ok
}
