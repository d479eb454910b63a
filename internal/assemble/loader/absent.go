package loader

import (
	"errors"
	"io/fs"
	"path"

	"github.com/salint/salint/internal/kube/objects"
)

// absent returns a function that returns why a file or folder that a kustomization lists is not among the files that were read.
func (c *Collection) absent(tree Tree) func(target string) string {
	return func(target string) string {
		isFile, isFolder := existsIn(tree, target)
		ignored := ignoredBy(tree, target)
		switch {
		case c.excluded != nil && c.excluded(target):
			return "it is excluded by `exclude` in the settings"
		case tree.LacksFile(target):
			return "the checkout leaves it out"
		case ignored != "" && (isFile || isFolder):
			return "it is ignored, by " + ignored
		case ignored != "":
			return "it is not here, and is ignored, by " + ignored
		case isFolder:
			return "it is a folder without a kustomization"
		case isFile:
			return "salint reads no file of this name"
		case path.Ext(target) != "" && c.scripts.makes(target): // commands write files, and name folders for other reasons
			return "it is not here until a script writes it"
		}
		return "it does not exist"
	}
}

// ignoredBy returns the line of the rule with which git ignores a path as a file or as a folder; "" if there is none.
func ignoredBy(tree Tree, target string) string {
	for _, name := range []string{target, path.Join(target, objects.KustomizationNames()[0])} {
		if place, ignored := tree.Ignored(name); ignored {
			return place
		}
	}
	return ""
}

func existsIn(tree Tree, target string) (isFile, isFolder bool) {
	files := tree.Files()
	if files == nil {
		return false, false
	}
	if _, err := files.ReadDir(target); err == nil {
		return false, true
	}
	_, err := files.ReadFile(target)
	return !errors.Is(err, fs.ErrNotExist), false
}
