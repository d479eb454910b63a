package uses

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// IsPatchedAway reports whether a mention is a field of an extension that no unit applies: every unit that applies the extension
// removes the field, as the overlays of a base do that are migrated one by one. Units are those that read the file, and name is the
// name that is mentioned.
func IsPatchedAway(m Place, units []*objects.Unit, name string) bool {
	if m.Kind != olm.ClusterExtensionKind || m.Ref == "" || len(m.Path) < 2 || m.Path[0] != "spec" {
		return false
	}
	applied := false
	for _, u := range units {
		if u.NotBuilt {
			return false // what it would apply is unknown
		}
		form := u.Object(m.Ref)
		if form == nil {
			continue
		}
		if form.Node.Lookup(m.Path) != nil || copiesAccount(u, name) {
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
