package applications

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
)

// unproven is a source of which nobody knows what an application makes of it, with the units of the kustomizations it may be.
type unproven struct {
	gitops.Unseen
	units []*objects.Unit
}

// Unproven tells of a file whether an application may apply it in a form that nobody knows, so that what becomes of a change
// to it cannot be proven: the first place that says so, and why.
func (s *Set) Unproven(file string) (found objects.Problem, is bool) {
	if s == nil {
		return found, false
	}
	for _, u := range s.unproven {
		if s.mayTake(u, file) {
			return problemAt(u.Place, u.Message), true
		}
	}
	return found, false
}

// mayTake tells whether a source may have a file among what it applies.
func (s *Set) mayTake(u unproven, file string) bool {
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

// takeUnseen looks at what is not known of sources. A kustomization that is applied as it is, only nobody knows where, is a unit,
// whether another lists it or not.
func (p *plan) takeUnseen() {
	for _, u := range p.result.Unseen {
		if !u.Changes && u.Literal() {
			if k := p.Kustomization(u.Path); k != nil {
				p.root(k)
				p.kept[k.Dir] = true
			}
		}
	}
}

// addUnproven tells a set of the sources that may be changed on the way.
func (p *plan) addUnproven(s *Set) {
	s.kustomized = map[string]bool{}
	for _, k := range p.Kustomizations {
		s.kustomized[k.Dir] = true
	}
	units := map[string]*objects.Unit{}
	for _, u := range p.result.Unseen {
		if !u.Changes {
			continue
		}
		found := unproven{Unseen: u}
		for _, k := range p.Kustomizations {
			if !u.Covers(k.Dir) || p.Kustomization(k.Dir) != k {
				continue
			}
			if units[k.Dir] == nil {
				units[k.Dir] = p.Unit(k)
			}
			found.units = append(found.units, units[k.Dir])
		}
		s.unproven = append(s.unproven, found)
	}
}

// Unapplied tells of a new file whether an application that would take it never sees it, for rules of its source leave it out. It
// gives the place of the rule, and the application.
func (s *Set) Unapplied(file string) (place, by string, is bool) {
	if s == nil {
		return "", "", false
	}
	for _, a := range s.Result.Applications {
		for _, source := range a.Sources {
			at, out := source.Unfetched(file)
			if out && s.reaches(source, path.Dir(file)) {
				return at, name(a), true
			}
		}
	}
	return "", "", false
}

// reaches tells whether a source takes anything from a folder.
func (s *Set) reaches(source gitops.Source, dir string) bool {
	if folders := s.folders[source.Path.Value]; folders != nil {
		return folders[dir]
	}
	return source.Path.Value == "." || dir == source.Path.Value || strings.HasPrefix(dir, source.Path.Value+"/")
}

// addFolders tells a set from which folders the kustomizations of applications take anything.
func (p *plan) addFolders(s *Set) {
	s.folders = map[string]map[string]bool{}
	for _, a := range p.result.Applications {
		for _, source := range a.Sources {
			k := p.Kustomization(source.Path.Value)
			if source.Kind != gitops.Kustomize || k == nil || s.folders[k.Dir] != nil {
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
