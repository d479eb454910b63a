package answer

import (
	"path"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/needs/preflight"
)

// Wanted returns the permissions in the manifests: what is missing, or everything that is needed.
func (a Answer) Wanted() []preflight.Scoped {
	if a.All {
		return a.Result.Needed
	}
	return a.Result.Missing
}

// remedy prints how to grant what is missing.
func (a Answer) remedy(t *page) {
	t.line("\nWhat to do")
	if a.Errors != nil && a.Errors.Source == StandardInput {
		t.line("  Save the text as %s.", SavedErrors)
	}
	file := a.file()
	t.line("  %s --format yaml > %s", a.Command, file)
	if a.installs() {
		t.line("  Review the file, commit it beside the extension, and apply it before the extension, for example in an earlier sync wave.")
	} else {
		t.line("  Review the file, commit it beside the other permissions of %s, and apply it.", a.who())
	}
	if k := a.kustomization(); k != nil {
		t.line("  Add %s to the resources of %s.", path.Base(file), a.rel(k.Path))
	}
	if a.Errors != nil && a.Errors.Complete {
		t.line("  The pre-authorization lists everything that it found missing. salint preflight --bundle DIR shows why each rule is needed.")
		return
	}
	if a.Errors != nil {
		first := "  An error contains only what was denied first."
		if a.installs() {
			first += " salint preflight --bundle DIR finds everything at once."
		}
		t.line("%s", first)
		return
	}
	t.line("  To check that nothing is missing, run it without --format yaml: %s", a.Command)
}

// contradicted reports whether an error text cannot be OLM's on the target: a grant for the target would then have no effect.
func (a Answer) contradicted() bool { return a.Errors != nil && a.Errors.Contradicted != "" }

// findRelease returns what to do if the text and the target contradict each other.
func (a Answer) findRelease() []string {
	return []string{
		"Find out which release the cluster runs: salint targets shows how.",
		"If it is not " + a.Errors.Contradicted + ", repeat the command with --target and that release: then it shows what to grant.",
		"If it is, OLM needs no grant: another program was refused.",
	}
}

// StandardInput is the name of a text from standard input, and SavedErrors the file in which to save it: a repeated command
// cannot read standard input again.
const (
	StandardInput = "standard input"
	SavedErrors   = "errors.txt"
)

// file returns the file for the manifests: beside the extension, and with the hash that distinguishes their names from
// those of earlier manifests.
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
		return name // the path would have to be quoted
	}
	return path.Join(dir, name)
}

// kustomization returns the one that must list a new file beside the extension, nil if none applies the extension.
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
	return preflight.Grantee{Extension: a.grantName(), OfAccount: !a.installs(), Identity: a.Identity, Unit: a.Unit, From: a.From, CreateAccount: a.CreateAccount}
}

func (a Answer) rel(file string) string {
	if a.Rel == nil {
		return file
	}
	return a.Rel(file)
}
