package lint

import (
	"path"
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// scope decides which findings the paths of the command line select. A file selects its lines and objects. The kustomization, the
// application or a values file of a unit selects everything that the unit applies.
type scope struct {
	selected func(file string) bool
	files    []string // of the tree

	once  sync.Once
	named map[string]bool // the selected files of the tree
	units sync.Map        // *objects.Unit to a func() bool: whether the unit reads one of them
}

func newScope(selected func(string) bool, files []string) *scope {
	return &scope{selected: selected, files: files}
}

// selectsUnit reports whether the kustomization, the application or a values file of a unit is selected.
func (s *scope) selectsUnit(u *objects.Unit) bool {
	u = u.AppliedBy()
	if u.Kind == objects.PlainUnit {
		return false
	}
	if len(u.Kustomizations) > 0 && u.Kustomizations[0].Dir == u.Root && s.selected(u.Kustomizations[0].Path) {
		return true
	}
	for _, r := range u.Renderings {
		if s.selected(path.Join(r.Chart, "values.yaml")) || slices.ContainsFunc(r.Values, s.selected) {
			return true
		}
	}
	return slices.ContainsFunc(u.Appliers, func(by objects.Applier) bool {
		return by.Object != nil && s.selected(by.Object.File)
	})
}

// selectsPartOf reports whether a unit reads a selected file, so that findings of the unit may be selected. The files of the plain
// unit are independent of one another.
func (s *scope) selectsPartOf(u *objects.Unit) bool {
	u = u.AppliedBy()
	if u.Kind == objects.PlainUnit {
		return false
	}
	touched, _ := s.units.LoadOrStore(u, sync.OnceValue(func() bool {
		s.once.Do(s.name)
		return s.selectsUnit(u) || len(u.ReadOf(s.named)) > 0
	}))
	return touched.(func() bool)()
}

func (s *scope) name() {
	s.named = map[string]bool{}
	for _, file := range s.files {
		if s.selected(file) {
			s.named[file] = true
		}
	}
}

// asksFor reports whether the paths name a unit. Paths that select all files name every unit.
func (s *scope) asksFor(u *objects.Unit) bool {
	s.once.Do(s.name)
	return len(s.named) == len(s.files) || s.selectsUnit(u)
}

// applies reports whether a selected unit applies objects of a file.
func (s *scope) applies(units []*objects.Unit, file string) bool {
	return slices.ContainsFunc(units, func(u *objects.Unit) bool {
		return s.selectsUnit(u) && slices.ContainsFunc(u.AsWritten(), func(o *objects.Object) bool { return o.File == file })
	})
}

// mayReport reports whether findings about an object may be selected. The templates of a chart include one another.
func (s *scope) mayReport(u *objects.Unit, o *objects.Object) bool {
	if s.selected(o.File) || s.selectsPartOf(u) {
		return true
	}
	made := charts.Of(o)
	return made != nil && made.Rendered.Reads(s.selected)
}

// selects reports whether a finding in a unit is selected: the file of its line is, or the file of its object, or the unit.
func (s *scope) selects(u *objects.Unit, f finding.Finding) bool {
	return s.selected(f.File) || f.Source.File != "" && s.selected(f.Source.File) || s.selectsUnit(u)
}
