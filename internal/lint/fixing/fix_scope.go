package fixing

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/lint/reading"
)

// fixScope decides which deployment units the paths of the command line ask to change. Paths select findings by file, and a file can
// be part of many units: a base that is named is no request to change every overlay of it.
type fixScope struct {
	paths *reading.Scope
	units []*objects.Unit

	inside  map[objects.UnitKey]bool
	sharing map[string]int // by file: how many units read it
}

// scope returns the scope of the fixes of a run; nil if it limits nothing.
func (r *Round) scope() *engine.Scope {
	if r.options.Fixes.Shared {
		return nil
	}
	return r.PathScope()
}

// PathScope returns the scope of the paths; nil if they limit nothing.
func (r *Round) PathScope() *engine.Scope {
	if r.judge.Scope.SelectsAll() {
		return nil
	}
	s := &fixScope{paths: r.judge.Scope, units: charts.Deployed(r.snapshot.Units), inside: map[objects.UnitKey]bool{}, sharing: map[string]int{}}
	for _, u := range r.snapshot.Units {
		s.inside[u.Key()] = true // it is not applied by itself, so it limits nothing
	}
	for _, u := range s.units {
		delete(s.inside, u.Key())
	}
	return &engine.Scope{Inside: s.isInside, Covers: s.covers, Command: r.sharedCommand}
}

// UnitScope returns the scope of one unit: no other unit that is applied changes.
func (r *Round) UnitScope(only *objects.Unit) *engine.Scope {
	outside := map[objects.UnitKey]bool{}
	for _, u := range charts.Deployed(r.snapshot.Units) {
		outside[u.Key()] = u.Key() != only.Key()
	}
	return &engine.Scope{
		Inside:  func(u *objects.Unit) bool { return !outside[u.Key()] },
		Covers:  func(*objects.Unit, string) bool { return false },
		Command: r.sharedCommand,
	}
}

func (r *Round) sharedCommand(file string, kind finding.FixKind) string {
	if r.options.Fixes.SharedCommand != nil {
		return r.options.Fixes.SharedCommand(file, kind)
	}
	flags := "--shared "
	if flag := kind.Flag(); flag != "" {
		flags = "--" + flag + " " + flags
	}
	return "salint lint --fix " + flags + file
}

// isInside reports whether a unit is asked for, as the paths contain its root. Units that are assembled again have the same answer.
func (s *fixScope) isInside(u *objects.Unit) bool {
	key := u.Key()
	if known, ok := s.inside[key]; ok {
		return known
	}
	s.inside[key] = u.Kind != objects.PlainUnit &&
		(s.paths.SelectsFile(u.Root) || s.selectsApplications(u) || s.selectsValues(u) || s.selectsOwnFile(u))
	return s.inside[key]
}

// selectsApplications reports whether all applications that apply a unit are selected.
func (s *fixScope) selectsApplications(u *objects.Unit) bool {
	unselected := func(by objects.Applier) bool { return by.Object == nil || !s.paths.SelectsFile(by.Object.File) }
	return len(u.Appliers) > 0 && !slices.ContainsFunc(u.Appliers, unselected)
}

// selectsValues reports whether a file of values is selected that only this unit is rendered with.
func (s *fixScope) selectsValues(u *objects.Unit) bool {
	return slices.ContainsFunc(u.Renderings, func(r objects.Rendering) bool {
		return slices.ContainsFunc(r.Values, func(file string) bool { return s.paths.SelectsFile(file) && !s.isShared(file) })
	})
}

// selectsOwnFile reports whether a file is selected that is in the folder of the unit and that no other unit reads, so that it can be
// named for this unit only. A pre-commit hook names files and no folders.
func (s *fixScope) selectsOwnFile(u *objects.Unit) bool {
	for file := range s.paths.Named() {
		if isIn(u.Root, file) && s.isOwn(u, file) && u.Reads(file) && !s.isShared(file) {
			return true
		}
	}
	return false
}

// isOwn reports whether no nested kustomization of a unit is nearer to a file than the root.
func (s *fixScope) isOwn(u *objects.Unit, file string) bool {
	return !slices.ContainsFunc(u.Kustomizations, func(k *objects.Kustomization) bool {
		return k.Dir != u.Root && isIn(u.Root, k.Dir) && isIn(k.Dir, file)
	})
}

// isShared reports whether several units read a file.
func (s *fixScope) isShared(file string) bool {
	n, known := s.sharing[file]
	if !known {
		for _, u := range s.units {
			if u.Reads(file) {
				n++
			}
		}
		s.sharing[file] = n
	}
	return n > 1
}

// covers reports whether objects of a file can change in a unit that is not inside: the file is selected, and it is a plain file, or
// in the folder of the unit and of no other.
func (s *fixScope) covers(u *objects.Unit, file string) bool {
	return s.paths.SelectsFile(file) && (u.Kind == objects.PlainUnit || isIn(u.Root, file) && !s.isShared(file))
}

// isIn reports whether a file is in a folder or below it.
func isIn(folder, file string) bool {
	return folder == "." || path.Clean(file) == folder || strings.HasPrefix(file, folder+"/")
}
