package answer

import (
	"path"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/needs/preflight"
)

// Wanted is what the manifests grant: what is missing, or all that is needed.
func (a Answer) Wanted() []preflight.Scoped {
	if a.All {
		return a.Result.Needed
	}
	return a.Result.Missing
}

// recipe says how to close the gap.
func (a Answer) recipe(t *page) {
	t.line("\nWhat to do")
	if a.Errors != nil && a.Errors.Source == StandardInput {
		t.line("  Save the text as %s.", SavedErrors)
	}
	file := a.file()
	t.line("  %s --format yaml > %s", a.Again, file)
	t.line("  Review the file, commit it beside the extension, and have it applied before the extension, as by an earlier sync wave.")
	if k := a.kustomization(); k != nil {
		t.line("  Add %s to the resources of %s.", path.Base(file), a.rel(k.Path))
	}
	if a.Errors != nil {
		t.line("  An error names what was refused first, and there may be more: salint preflight --bundle DIR finds all of it at once.")
		return
	}
	t.line("  Then the same command again says that nothing is missing.")
}

// StandardInput is what a text from there is called, and SavedErrors the file that it is to be saved in: a command that is
// to be given again cannot read it again.
const (
	StandardInput = "standard input"
	SavedErrors   = "errors.txt"
)

// file is where the manifests go: beside the extension, and under a name as unlike the one of earlier ones as theirs.
func (a Answer) file() string {
	name := fileName(a.grantName()) + "-preflight"
	if hash := preflight.GrantHash(a.grantee(), a.Wanted()); hash != "" {
		name += "-" + hash
	}
	name += "-rbac.yaml"
	if a.From == nil {
		return name
	}
	dir := path.Dir(a.rel(a.From.File))
	if strings.Trim(dir, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./") != "" || strings.HasPrefix(dir, "-") {
		return name // it would have to be quoted, or leads the shell elsewhere
	}
	return path.Join(dir, name)
}

// kustomization is the one that has to list a new file beside the extension, nil where none applies it.
func (a Answer) kustomization() *objects.Kustomization {
	if a.Unit == nil || a.From == nil || a.Unit.Kind != objects.KustomizationUnit {
		return nil
	}
	var nearest *objects.Kustomization
	for _, k := range a.Unit.Kustomizations {
		beside := k.Dir == path.Dir(a.From.File)
		if beside || k.Dir == a.Unit.Root && nearest == nil {
			nearest = k
		}
		if beside {
			break
		}
	}
	return nearest
}

func (a Answer) grantee() preflight.Grantee {
	return preflight.Grantee{Extension: a.grantName(), Identity: a.Identity, Unit: a.Unit, From: a.From}
}

func (a Answer) rel(file string) string {
	if a.Rel == nil {
		return file
	}
	return a.Rel(file)
}
