package engine

import (
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// CheckBuild refuses a change to an object of a unit that cannot be built, and to one that a unit transforms if the result of the change
// is unknown or cannot be proven.
func (c *Context) CheckBuild(u *objects.Unit, o *objects.Object) error {
	switch {
	case u.Built && o.Source() == nil:
		return Refuse("%s builds %s, which is in no file (%s): change it there by hand", u, NameOf(o), o.Position(nil))
	case u.NotBuilt && len(u.Problems) > 0:
		return Refuse("%s could not be built (see %s), so the effect of a change to %s is unknown: fix that first",
			u, u.Problems[len(u.Problems)-1].Position, o.File)
	case u.Built, len(u.Transforms) == 0:
		return nil
	}
	return Refuse("%s transforms what it applies (%s), so the effect of a change to %s cannot be proven: change it by hand"+CompareBuilds, u, u.Transforms[0], o.File)
}

// CheckEditable refuses a change to an object that a template renders, or that a unit applies in another form than its file
// has, because the change would have another effect there. With paths, only the values at these paths are compared.
func (c *Context) CheckEditable(o *objects.Object, paths ...manifest.Path) error {
	if err := CheckInFile(o); err != nil {
		return err
	}
	for _, applied := range c.Repo.AppliedForms(o) {
		if err := c.CheckBuild(applied.Unit, applied.Object); err != nil {
			return err
		}
		if path, same := isAppliedAsWritten(applied.Object, paths); !same {
			return Refuse("%s applies %s in another form than %s has: change the file and %s together by hand"+CompareBuilds,
				applied.Unit, NameOf(applied.Object), applied.Object.File, ChangedAt(applied.Object, path))
		}
	}
	return nil
}

// CheckRemovable refuses to remove an object that a template renders, or whose removal cannot be proven. Unlike [CheckEditable] it
// accepts every form that the build proves: an object that is gone has none.
func (c *Context) CheckRemovable(o *objects.Object) error {
	if err := CheckInFile(o); err != nil {
		return err
	}
	if o.Embedding != nil {
		return RefuseRemoval(o)
	}
	for _, applied := range c.Repo.AppliedForms(o) {
		if err := c.CheckBuild(applied.Unit, applied.Object); err != nil {
			return err
		}
	}
	return nil
}

// ChangedAt returns the place that changes an object between its file and its applied form, at a path inside the object.
func ChangedAt(o *objects.Object, path manifest.Path) objects.Position {
	for _, trace := range o.Applied.Trace(path) {
		if trace.What != objects.Base {
			return trace.Position()
		}
	}
	return o.Position(path)
}

// isAppliedAsWritten reports whether an object is applied as its file has it, and otherwise at which path it differs. Without
// paths, the whole object is compared except for its labels and annotations.
func isAppliedAsWritten(o *objects.Object, paths []manifest.Path) (manifest.Path, bool) {
	if o.Applied == nil {
		return nil, true
	}
	if len(paths) == 0 {
		return firstDifference(o.Source().JSON(), o.JSON(), nil)
	}
	for _, path := range paths {
		written, applied := o.Source().Node.Lookup(path), o.Node.Lookup(path)
		if SameValue(written, applied) {
			continue
		}
		a, isMapping := written.Decode().(map[string]any)
		b, isToo := applied.Decode().(map[string]any)
		if isMapping && isToo {
			path, _ = firstDifference(a, b, path)
		}
		return path, false
	}
	return nil, true
}

// SameValue reports whether two nodes hold the same value, or both are missing.
func SameValue(a, b *manifest.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return reflect.DeepEqual(a.Decode(), b.Decode())
}

// firstDifference finds the first field, in the order of names, in which two objects differ.
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

// differingItem returns the path of the first difference between two lists of the same length.
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

// MayBeBuilt reports whether a unit is built, or will be once another fix of the run adds a patch to its kustomization:
// changes of its objects have to be declared.
func MayBeBuilt(u *objects.Unit) bool {
	return u.Built || u.AppliedBy().Kind == objects.KustomizationUnit
}
