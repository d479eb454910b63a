package identity

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// placedByName returns the file of each generated object if a text, such as a Makefile, applies the extension or a binding of its
// identity by the name of its file: a new file beside it would not be applied, but the file that holds the binding is. The files
// are nil if no text names one, or if they are unknown; why is then the reason why a new file may not be applied.
func placedByName(c *engine.Context, v *Variant, generated []Generated) (files []string, why string) {
	bindings := directBindings(v)
	named, place := namedFile(c, v, bindings)
	if named == "" {
		return nil, ""
	}
	why = fmt.Sprintf("%s names %s, which is then applied by itself", place, named)
	for _, o := range generated {
		file, reason := fileFor(o, bindings)
		if reason == "" {
			reason = cannotHold(c, v, bindings, file)
		}
		if reason != "" {
			return nil, why + ", and " + reason
		}
		files = append(files, file)
	}
	return files, ""
}

// namedFile returns the file of the extension or of a binding that a text names, and the place in the text. Documentation that
// only describes a file counts if nothing else in the repository applies it.
func namedFile(c *engine.Context, v *Variant, bindings []rbac.Binding) (file, place string) {
	isPlain := !slices.ContainsFunc(v.Units, func(u *objects.Unit) bool { return u.Kind != objects.PlainUnit })
	files := []string{v.Object.File}
	if isPlain {
		for _, b := range bindings {
			files = append(files, b.Object.File)
		}
	}
	for _, file := range files {
		if ref, ok := c.AppliedByName(file); ok && (isPlain || !ref.Describes) {
			return file, ref.Place
		}
	}
	return "", ""
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

// cannotHold returns why no document can be added to a file with bindings; "" if one can.
func cannotHold(c *engine.Context, v *Variant, bindings []rbac.Binding, file string) string {
	i := slices.IndexFunc(bindings, func(b rbac.Binding) bool { return b.Object.File == file })
	binding := bindings[i].Object.Source()
	units := c.Repo.UnitsOf(file)
	sameUnits := len(units) == len(v.Units) && !slices.ContainsFunc(units, func(u *objects.Unit) bool { return !slices.Contains(v.Units, u) })
	ref, named := c.AppliedByName(file)
	switch {
	case binding == nil || !binding.InFile():
		return "a template renders the binding of the account"
	case !sameUnits:
		return file + " with the binding of the account is not applied exactly where the extension is"
	case strings.EqualFold(path.Ext(file), ".json"):
		return file + " with the binding of the account is JSON, which holds one document"
	case named && ref.OneDocument && len(binding.Doc.File.Docs) == 1:
		return fmt.Sprintf("%s may accept only one document in %s with the binding of the account", ref.Place, file)
	}
	return ""
}

// declareUnapplied makes a plan unsafe whose new file may not be applied.
func declareUnapplied(p *engine.Plan, file, why string) {
	p.Kind = finding.Unsafe
	p.Description += fmt.Sprintf("; not safe because the new file %s may not be applied: %s", file, why)
	p.AddNote("%s: apply the new file %s there, too, before the extension", why, file)
}
