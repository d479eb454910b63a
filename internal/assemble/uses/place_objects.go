package uses

import (
	"slices"

	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// ObjectIn returns the object that contains a place, or nil.
func (p Place) ObjectIn(r *applied.Repository) *objects.Object {
	if p.Ref == "" || len(p.Path) == 0 {
		return nil
	}
	return r.Object(p.File, p.Ref)
}

// FormsIn returns the object that contains a place in every form in which units apply it. If no unit has it, it is the object as
// written, and asWritten is true.
func (p Place) FormsIn(r *applied.Repository) (forms []*objects.Object, asWritten bool) {
	o := p.ObjectIn(r)
	if o == nil {
		return nil, false
	}
	for _, form := range r.AppliedForms(o) {
		forms = append(forms, form.Object)
	}
	if len(forms) == 0 {
		return []*objects.Object{o}, true
	}
	return forms, false
}

// IsEntryIn reports whether a place is an entry of a kustomization: the name of a file or folder.
func (p Place) IsEntryIn(r *applied.Repository) bool {
	for _, k := range r.Kustomizations() {
		if k.Path == p.File {
			return slices.ContainsFunc(k.Resources, func(e objects.Entry) bool { return e.Position.Line == p.Line })
		}
	}
	return false
}

// IsPatchedAway reports whether a place is a field of an extension that no unit applies: every unit that applies the extension
// removes the field, as the overlays of a base do that are migrated one by one. Units are those that read the file, and name is the
// name that the place has.
func (p Place) IsPatchedAway(units []*objects.Unit, name string) bool {
	if p.Kind != olm.ClusterExtensionKind || p.Ref == "" || len(p.Path) < 2 || p.Path[0] != "spec" {
		return false
	}
	applied := false
	for _, u := range units {
		if u.NotBuilt {
			return false // what it would apply is unknown
		}
		form := u.Object(p.Ref)
		if form == nil {
			continue
		}
		if form.Node.Lookup(p.Path) != nil || copiesAccount(u, name) {
			return false
		}
		applied = true
	}
	return applied
}

// copiesAccount reports whether an object of the unit refers to an account in a field that its manifest has with another value. The
// value can come from the field of an extension, as a replacement of kustomize copies it before a patch removes the field.
func copiesAccount(u *objects.Unit, name string) bool {
	return slices.ContainsFunc(u.References(objects.Account{Name: name}), func(r objects.Reference) bool {
		if r.What == objects.Definition || r.What == objects.Subject {
			return false // kustomize changes names there by itself
		}
		source := r.Object.Source()
		return source == nil || source.Node.Lookup(r.Path).String() != r.Object.Node.Lookup(r.Path).String()
	})
}
