package reading

import (
	"path"
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// Scope decides which findings the paths of the command line select. A file selects its lines and objects. The kustomization, the
// application or a values file of a unit selects everything that the unit Applies.
type Scope struct {
	selected func(file string) bool
	files    []string // of the tree

	once  sync.Once
	named map[string]bool // the selected files of the tree
	units sync.Map        // *objects.Unit to a func() bool: whether the unit reads one of them
}

// NewScope returns the scope of the selected ones of the files of a tree.
func NewScope(selected func(string) bool, files []string) *Scope {
	return &Scope{selected: selected, files: files}
}

// SelectsUnit reports whether the kustomization, the application or a values file of a unit is selected.
func (s *Scope) SelectsUnit(u *objects.Unit) bool {
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

// SelectsPartOf reports whether a unit reads a selected file, so that findings of the unit may be selected. The files of the plain
// unit are independent of one another.
func (s *Scope) SelectsPartOf(u *objects.Unit) bool {
	u = u.AppliedBy()
	if u.Kind == objects.PlainUnit {
		return false
	}
	touched, _ := s.units.LoadOrStore(u, sync.OnceValue(func() bool {
		return s.SelectsUnit(u) || len(u.ReadOf(s.Named())) > 0
	}))
	return touched.(func() bool)()
}

// Named returns the selected files of the tree.
func (s *Scope) Named() map[string]bool {
	s.once.Do(func() {
		s.named = map[string]bool{}
		for _, file := range s.files {
			if s.selected(file) {
				s.named[file] = true
			}
		}
	})
	return s.named
}

// SelectsAll reports whether all files of the tree are selected.
func (s *Scope) SelectsAll() bool {
	return !slices.ContainsFunc(s.files, func(file string) bool { return !s.selected(file) })
}

// SelectsFile reports whether a file is selected.
func (s *Scope) SelectsFile(file string) bool { return s.selected(file) }

// AsksFor reports whether the paths name a unit. Paths that select all files name every unit.
func (s *Scope) AsksFor(u *objects.Unit) bool {
	return len(s.Named()) == len(s.files) || s.SelectsUnit(u)
}

// Applies reports whether a selected unit Applies objects of a file.
func (s *Scope) Applies(units []*objects.Unit, file string) bool {
	return slices.ContainsFunc(units, func(u *objects.Unit) bool {
		return s.SelectsUnit(u) && slices.ContainsFunc(u.AsWritten(), func(o *objects.Object) bool { return o.File == file })
	})
}

// MayReport reports whether findings about an object may be selected.
func (s *Scope) MayReport(u *objects.Unit, o *objects.Object) bool {
	return s.selected(o.File) || s.SelectsPartOf(u) || s.selectsTemplates(o)
}

// SelectsObject reports whether an object itself is selected: its file is, or the unit that applies it.
func (s *Scope) SelectsObject(u *objects.Unit, o *objects.Object) bool {
	return s.selected(o.File) || s.SelectsUnit(u) || s.selectsTemplates(o)
}

// selectsTemplates reports whether a file is selected from which an object is rendered. The templates of a chart include one another.
func (s *Scope) selectsTemplates(o *objects.Object) bool {
	made := charts.Of(o)
	return made != nil && made.Rendered.Reads(s.selected)
}

// Selects reports whether a finding in a unit is selected: the file of its line is, or the file of its object, or the unit.
func (s *Scope) Selects(u *objects.Unit, f finding.Finding) bool {
	return s.selected(f.File) || f.Source.File != "" && s.selected(f.Source.File) || s.SelectsUnit(u)
}
