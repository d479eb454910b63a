package uses

import (
	"slices"

	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/kube/objects"
)

// ObjectOf returns the object that contains a place, or nil.
func ObjectOf(r *applied.Repository, p Place) *objects.Object {
	if p.Ref == "" || len(p.Path) == 0 {
		return nil
	}
	return r.Object(p.File, p.Ref)
}

// FormsOf returns the object that contains a place in every form in which units apply it. If no unit has it, it is the object as
// written, and asWritten is true.
func FormsOf(r *applied.Repository, p Place) (forms []*objects.Object, asWritten bool) {
	o := ObjectOf(r, p)
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

// IsListed reports whether a place is an entry of a kustomization: the name of a file or folder.
func IsListed(r *applied.Repository, p Place) bool {
	for _, k := range r.Kustomizations() {
		if k.Path == p.File {
			return slices.ContainsFunc(k.Resources, func(e objects.Entry) bool { return e.Position.Line == p.Line })
		}
	}
	return false
}
