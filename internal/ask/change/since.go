package change

import (
	"path"
	"slices"

	"github.com/salint/salint/internal/ask/change/matching"
	"github.com/salint/salint/internal/kube/objects"
)

// AddSince sets the changed files to which new power leads back if no binding or role of it is in a changed file: what the units of the later state are
// made of, and the applications that apply them.
func (r *Report) AddSince(changed map[string]bool, units []*objects.Unit) {
	byName := map[string][]*objects.Unit{}
	for _, u := range units {
		name := matching.NameOf(u)
		byName[name] = append(byName[name], u)
	}
	for i, c := range r.Gained {
		if c.isIn(changed) {
			continue
		}
		var since []string
		for _, name := range c.Units {
			for _, u := range byName[name] {
				since = append(since, changedOf(u, changed)...)
			}
		}
		slices.Sort(since)
		r.Gained[i].Since = slices.Compact(since)
	}
}

// isIn reports whether a binding or role of a change is in one of some files.
func (c Change) isIn(files map[string]bool) bool {
	return slices.ContainsFunc(c.Holders, func(h Holder) bool { return files[h.Place.File] }) ||
		slices.ContainsFunc(c.Places, func(at objects.Position) bool { return files[at.File] })
}

// changedOf returns the changed files of a unit.
func changedOf(u *objects.Unit, changed map[string]bool) []string {
	files := u.ReadOf(changed)
	for _, k := range u.Kustomizations {
		if changed[k.Path] {
			files = append(files, k.Path)
		}
		for _, e := range k.Resources {
			for at := e.Through; at != "" && at != "."; at = path.Dir(at) {
				if changed[at] {
					files = append(files, at) // a symbolic link
				}
			}
		}
	}
	for _, by := range u.Appliers {
		if by.Object != nil && changed[by.Object.File] {
			files = append(files, by.Object.File)
		}
	}
	return files
}
