package applications

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/kube/objects"
)

// unresolved is a source whose resulting objects cannot be determined, with the units of the kustomizations that it may be.
type unresolved struct {
	gitops.UnresolvedSource
	units []*objects.Unit
}

// Unresolved reports whether an application may apply a file in a form that cannot be determined, so that a change to the
// file cannot be verified. It returns the first position that is the reason, with a message.
func (s *Set) Unresolved(file string) (found objects.Problem, is bool) {
	if s == nil {
		return found, false
	}
	for _, u := range s.unresolved {
		if s.mayApply(u, file) {
			return problemAt(u.Location, u.Message), true
		}
	}
	for _, left := range s.leftOut {
		if left.Covers(file) {
			return objects.Problem{Position: left.Position, Message: left.Reason}, true
		}
	}
	return found, false
}

// mayApply reports whether a source may read a file.
func (s *Set) mayApply(u unresolved, file string) bool {
	if slices.ContainsFunc(u.units, func(unit *objects.Unit) bool { return unit.Reads(file) }) {
		return true
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if u.Covers(dir) && (u.Plugin || !s.kustomized[dir]) {
			return true
		}
		if dir == "." {
			return false
		}
	}
}

// keepUnresolvedRoots adds a unit for each kustomization that is applied unchanged to an unknown cluster or namespace,
// whether another kustomization lists it or not.
func (p *plan) keepUnresolvedRoots() {
	for _, u := range p.result.Unresolved {
		switch {
		case u.Changes:
		case !u.Literal():
			p.keepMatching(u)
		default:
			if k := p.Kustomization(u.Path); k != nil {
				p.root(k)
				p.unchanged[k.Dir] = true
			}
		}
	}
}

// keepMatching adds units for the kustomizations that others list and that a path with unknown parts may mean. One that is unknown
// as a whole tells nothing about any of them.
func (p *plan) keepMatching(u gitops.UnresolvedSource) {
	if strings.Trim(u.Path, "*./") == "" {
		return
	}
	for _, k := range p.Kustomizations {
		if _, there := p.roots[k.Dir]; there || k.IsComponent() || p.Kustomization(k.Dir) != k || !u.Covers(k.Dir) {
			continue
		}
		p.root(k)
		p.unchanged[k.Dir] = true
	}
}

// addUnresolved adds the sources that may change objects in an unknown way to a set.
func (p *plan) addUnresolved(s *Set) {
	s.kustomized = map[string]bool{}
	for _, k := range p.Kustomizations {
		s.kustomized[k.Dir] = true
	}
	units := map[string]*objects.Unit{}
	for _, u := range p.result.Unresolved {
		if !u.Changes {
			continue
		}
		found := unresolved{UnresolvedSource: u}
		for _, k := range p.Kustomizations {
			if !u.Covers(k.Dir) || p.Kustomization(k.Dir) != k {
				continue
			}
			if units[k.Dir] == nil {
				units[k.Dir] = p.Unit(k)
			}
			found.units = append(found.units, units[k.Dir])
		}
		s.unresolved = append(s.unresolved, found)
	}
}

// IgnoredBySource reports whether an application that would apply a new file ignores it because of a rule of its source. It
// returns the position of the rule, and the application.
func (s *Set) IgnoredBySource(file string) (place, by string, is bool) {
	if s == nil {
		return "", "", false
	}
	for _, a := range s.Result.Applications {
		for _, source := range a.Sources {
			at, out := source.Ignored(file)
			if out && s.readsFolder(source, path.Dir(file)) {
				return at, unitName(a), true
			}
		}
	}
	return "", "", false
}

// readsFolder reports whether a source reads anything from a folder.
func (s *Set) readsFolder(source sources.Source, dir string) bool {
	if folders := s.folders[source.Path.Value]; folders != nil {
		return folders[dir]
	}
	return source.Path.Value == "." || dir == source.Path.Value || strings.HasPrefix(dir, source.Path.Value+"/")
}

// addFolders adds the folders that the kustomizations of applications read from to a set.
func (p *plan) addFolders(s *Set) {
	s.folders = map[string]map[string]bool{}
	for _, a := range p.result.Applications {
		for _, source := range a.Sources {
			k := p.Kustomization(source.Path.Value)
			if source.Kind != sources.Kustomize || k == nil || s.folders[k.Dir] != nil {
				continue
			}
			folders := map[string]bool{}
			for _, part := range p.Unit(k).Kustomizations {
				folders[part.Dir] = true
				for _, entry := range part.Resources {
					folders[path.Dir(entry.Target)] = true
				}
			}
			s.folders[k.Dir] = folders
		}
	}
}
