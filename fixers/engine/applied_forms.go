package engine

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// SameSource tells whether two objects come of one manifest.
func SameSource(a, b *objects.Object) bool {
	x, y := a.Source(), b.Source()
	return a == b || x != nil && y != nil && x.File == y.File && x.Doc.Index == y.Doc.Index && slices.Equal(x.Path, y.Path)
}

// CheckBuild refuses to change what a unit makes something else of, where that is not known or could not be proven.
func (c *Context) CheckBuild(u *objects.Unit, o *objects.Object) error {
	switch {
	case u.Built && o.Source() == nil:
		return Refuse("%s builds %s, which stands in no file (%s): change it there by hand", u, NameOf(o), o.Position(nil))
	case u.Built && c.Lookups.Rebuild != nil, !u.Built && len(u.Transforms) == 0:
		return nil
	case u.NotBuilt && len(u.Problems) > 0:
		return Refuse("%s changes what it applies, and could not be built (see %s), so it is not known what becomes of %s: mend that first",
			u, u.Problems[len(u.Problems)-1].Position, o.File)
	}
	return Refuse("%s transforms what it applies (%s): what becomes of a change to %s cannot be proven here. "+
		"Change it by hand and compare the output of kustomize build before and after", u, u.Transforms[0], o.File)
}

// CheckEditable refuses to touch an object that is written in a template, or that some unit applies in another form than it
// is written in, so that a change of the file means something else there. Of an object of which only some fields are
// touched, those at the paths given and what lies in them are compared, and no others.
func (c *Context) CheckEditable(o *objects.Object, paths ...manifest.Path) error {
	if err := CheckInFile(o); err != nil {
		return err
	}
	for _, applied := range c.Repo.AppliedForms(o) {
		if err := c.CheckBuild(applied.Unit, applied.Object); err != nil {
			return err
		}
		if path, same := isAppliedAsWritten(applied.Object, paths); !same {
			return Refuse("%s applies %s otherwise than it stands in %s: change the file and %s together by hand, "+
				"and compare the output of kustomize build before and after",
				applied.Unit, NameOf(applied.Object), applied.Object.File, ChangedAt(applied.Object, path))
		}
	}
	return nil
}

// ChangedAt is the place that has an object applied otherwise than it stands in its file, at a path inside of it.
func ChangedAt(o *objects.Object, path manifest.Path) objects.Position {
	for _, trace := range o.Applied.Trace(path) {
		if trace.What != objects.Base {
			return trace.Position()
		}
	}
	return o.Position(path)
}

// UnitObject is an object as a unit applies it.
type UnitObject struct {
	Unit   *objects.Unit
	Object *objects.Object
}

// AppliedForms lists what the units make of the source of an object.
func (r *Repository) AppliedForms(o *objects.Object) []UnitObject {
	r.indexed.Do(r.index)
	doc, path := SourceKeyOf(o)
	return r.forms[doc][path]
}

func (r *Repository) addForm(m UnitObject) {
	doc, path := SourceKeyOf(m.Object)
	if r.forms[doc] == nil {
		r.forms[doc] = map[string][]UnitObject{}
	}
	r.forms[doc][path] = append(r.forms[doc][path], m)
}

// SourceKeyOf tells objects apart by where they come of: the document, and the path in it. One that is in no file comes of
// itself.
func SourceKeyOf(o *objects.Object) (document, path string) {
	s := o.Source()
	if s == nil {
		return o.Ref(), "\x00"
	}
	return documentKey(s.File, s.Doc.Index), strings.Join(s.Path, "\x00")
}

func documentKey(file string, index int) string { return Change{File: file, Document: index}.key() }

// isAppliedAsWritten tells whether an object is applied as its file has it, and where it is not: at these paths or, without any,
// everywhere but in its labels and annotations.
func isAppliedAsWritten(o *objects.Object, paths []manifest.Path) (manifest.Path, bool) {
	if o.Applied == nil {
		return nil, true
	}
	if len(paths) == 0 {
		return firstDifference(o.Source().JSON(), o.JSON(), nil)
	}
	for _, path := range paths {
		if !SameValue(o.Source().Node.Lookup(path), o.Node.Lookup(path)) {
			return path, false
		}
	}
	return nil, true
}

// SameValue tells whether two nodes hold the same, or neither is there.
func SameValue(a, b *manifest.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return reflect.DeepEqual(a.Decode(), b.Decode())
}

// firstDifference finds the first field, in the order of names, that two objects do not have alike.
func firstDifference(a, b map[string]any, at manifest.Path) (path manifest.Path, same bool) {
	all := map[string]bool{}
	for key := range a {
		all[key] = true
	}
	for key := range b {
		all[key] = true
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if slices.Equal(at, metadataPath) && (key == "labels" || key == "annotations") {
			continue
		}
		x, isMapping := a[key].(map[string]any)
		y, isMappingToo := b[key].(map[string]any)
		path := at.Join(key)
		if isMapping && isMappingToo {
			if path, same := firstDifference(x, y, path); !same {
				return path, false
			}
		} else if !reflect.DeepEqual(a[key], b[key]) {
			return append(path, differingItem(a[key], b[key])...), false
		}
	}
	return nil, true
}

// differingItem finds the first item that two lists of one length do not have alike, and the field of it.
func differingItem(a, b any) manifest.Path {
	x, isList := a.([]any)
	y, isListToo := b.([]any)
	if !isList || !isListToo || len(x) != len(y) {
		return nil
	}
	for i := range x {
		if reflect.DeepEqual(x[i], y[i]) {
			continue
		}
		before, _ := x[i].(map[string]any)
		after, _ := y[i].(map[string]any)
		path, _ := firstDifference(before, after, manifest.Path{strconv.Itoa(i)})
		return path
	}
	return nil
}

var metadataPath = manifest.Path{"metadata"}

// formsAt lists what the units make of the object that a change is made in, or of all that it takes away.
func (r *Repository) formsAt(change Change) []UnitObject {
	in := r.forms[documentKey(change.File, change.Document)]
	if change.Op != RemoveDocument {
		for n := len(change.Path); n >= 0; n-- {
			if found := in[strings.Join(change.Path[:n], "\x00")]; found != nil {
				return found
			}
		}
	}
	var all []UnitObject
	for _, path := range slices.Sorted(maps.Keys(in)) {
		all = append(all, in[path]...)
	}
	return all
}

// MayBeBuilt tells whether a unit is built, or will be when another fix of the run gives its kustomization a patch: what becomes
// of its objects has to be declared.
func MayBeBuilt(u *objects.Unit) bool { return u.Built || u.Kind == objects.KustomizationUnit }
