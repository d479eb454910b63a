package identity

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// placement says where generated objects go if their extension is applied by the name of its file.
type placement struct {
	// files are those of the objects, in their order; nil if a new file is applied like any other, or if no file is right.
	files []string
	// why is the reason why a new file may not be applied; "" if it is. linked is set if it is certain.
	why    string
	linked bool
}

// placedByName returns the file of each generated object if a text, such as a Makefile, applies the extension or a binding of its
// identity by the name of its file: a new file beside it would not be applied, but the file that holds the binding is. The files
// are nil if no text names one.
func placedByName(c *engine.Context, v *Variant, generated []Generated) (p placement) {
	bindings := directBindings(v)
	named, ref := namedFile(c, v, bindings)
	if named == "" || len(generated) == 0 {
		return placement{}
	}
	why := fmt.Sprintf("%s, which is then applied by itself", ref.Names(named))
	for _, o := range generated {
		file, reason := fileFor(o, bindings)
		if reason == "" {
			reason = cannotHold(c, v, bindings, file, ref.LinkedIn)
		}
		if reason != "" {
			return placement{why: why + ", and " + reason, linked: len(ref.LinkedIn) > 0}
		}
		p.files = append(p.files, file)
	}
	return p
}

// namedFile returns the file of the extension or of a binding that a text names, and where. Documentation that
// only describes a file counts if nothing else in the repository applies it.
func namedFile(c *engine.Context, v *Variant, bindings []rbac.Binding) (file string, ref uses.FileReference) {
	isPlain := !slices.ContainsFunc(v.Units, func(u *objects.Unit) bool { return u.Kind != objects.PlainUnit })
	files := []string{v.Object.File}
	if isPlain {
		for _, b := range bindings {
			files = append(files, b.Object.File)
		}
	}
	for _, file := range files {
		if ref, ok := c.Lookups.AppliedByName(file); ok && (isPlain || !ref.Describes) {
			return file, ref
		}
	}
	return "", uses.FileReference{}
}

// directBindings returns the bindings of the account and of the synthetic user of the extension, without those of groups.
func directBindings(v *Variant) []rbac.Binding {
	var all []rbac.Binding
	for _, unit := range v.Units {
		for _, subject := range []rbac.Subject{v.AccountSubject(), v.UserSubject()} {
			all = append(all, GrantsOf(unit, v, subject).directOnly().bindings...)
		}
	}
	return all
}

// fileFor returns the file with the binding that a generated object stands for: one of the same role, or otherwise the only file
// with bindings. It is applied wherever the identity has the role.
func fileFor(o Generated, bindings []rbac.Binding) (file, reason string) {
	isSame := func(b rbac.Binding) bool {
		return o.RoleRef != nil && b.Role.Kind == o.RoleRef.Kind && b.Role.Name == o.RoleRef.Name && b.Scope == o.Metadata.Namespace
	}
	if slices.ContainsFunc(bindings, isSame) {
		bindings = slices.DeleteFunc(slices.Clone(bindings), func(b rbac.Binding) bool { return !isSame(b) })
	}
	for _, b := range bindings {
		if file != "" && file != b.Object.File {
			return "", "the bindings that it stands for are in several files"
		}
		file = b.Object.File
	}
	if file == "" {
		return "", "no file holds a binding of the account"
	}
	return file, ""
}

// cannotHold returns why no document can be added to a file with bindings; "" if one can. linkedIn are the folders in which
// symbolic links apply what the document belongs to.
func cannotHold(c *engine.Context, v *Variant, bindings []rbac.Binding, file string, linkedIn []string) string {
	i := slices.IndexFunc(bindings, func(b rbac.Binding) bool { return b.Object.File == file })
	binding := bindings[i].Object.Source()
	units := c.Repo.UnitsOf(file)
	sameUnits := len(units) == len(v.Units) && !slices.ContainsFunc(units, func(u *objects.Unit) bool { return !slices.Contains(v.Units, u) })
	ref, named := c.Lookups.AppliedByName(file)
	switch {
	case binding == nil || !binding.InFile():
		return "a template renders the binding of the account"
	case !sameUnits:
		return file + " with the binding of the account is not applied exactly where the extension is"
	case slices.ContainsFunc(linkedIn, func(folder string) bool { return !slices.Contains(ref.LinkedIn, folder) }):
		return file + " with the binding of the account has no such links"
	case strings.EqualFold(path.Ext(file), ".json"):
		return file + " with the binding of the account is JSON, which holds one document"
	case named && ref.OneDocument && len(binding.Doc.File.Docs) == 1:
		return fmt.Sprintf("%s may accept only one document in %s with the binding of the account", ref.Place, file)
	}
	return ""
}

// declareUnapplied makes a plan unsafe whose new file may not be applied. It refuses one whose file is certainly not.
func (at placement) declareUnapplied(p *engine.Plan, file string) error {
	switch {
	case at.why == "":
		return nil
	case at.linked:
		return engine.Refuse("the new file %s would not be applied everywhere: %s: bind the roles by hand in each folder", file, at.why)
	}
	p.Kind = finding.Unsafe
	p.Description += fmt.Sprintf("; not safe because the new file %s may not be applied: %s", file, at.why)
	p.AddNote("%s: apply the new file %s there, too, before the extension", at.why, file)
	return nil
}
