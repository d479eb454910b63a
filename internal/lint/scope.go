package lint

import (
	"path"
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// scope is what the paths that the user named ask about. Who names a file asks about its lines and objects; who names what
// makes a unit, its kustomization, its application or its values, asks about all that the unit applies.
type scope struct {
	selected func(file string) bool
	files    []string // of the tree

	once  sync.Once
	named map[string]bool // the files of the tree that are selected
	units sync.Map        // *objects.Unit to a func() bool: whether the unit reads one of them
}

func newScope(selected func(string) bool, files []string) *scope {
	return &scope{selected: selected, files: files}
}

// makes tells whether the user named what makes a unit.
func (s *scope) makes(u *objects.Unit) bool {
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
	return u.Kind == objects.ApplicationUnit && slices.ContainsFunc(u.Appliers, func(by objects.Applier) bool {
		return by.Object != nil && s.selected(by.Object.File)
	})
}

// touches tells whether a file that the user named has a part in a unit, so that findings of the unit may be asked for. In
// the plain unit files have nothing to do with one another.
func (s *scope) touches(u *objects.Unit) bool {
	if u.Kind == objects.PlainUnit {
		return false
	}
	touched, _ := s.units.LoadOrStore(u, sync.OnceValue(func() bool {
		s.once.Do(s.name)
		return s.makes(u) || len(u.ReadOf(s.named)) > 0
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

// applies tells whether one of the units whose making the user named applies objects of a file.
func (s *scope) applies(units []*objects.Unit, file string) bool {
	return slices.ContainsFunc(units, func(u *objects.Unit) bool {
		return s.makes(u) && slices.ContainsFunc(u.AsWritten(), func(o *objects.Object) bool { return o.File == file })
	})
}

// judges tells whether findings about an object may be asked for. The templates of a chart include one another.
func (s *scope) judges(u *objects.Unit, o *objects.Object) bool {
	if s.selected(o.File) || s.touches(u) {
		return true
	}
	made := charts.Of(o)
	return made != nil && made.Rendered.Reads(s.selected)
}

// asks tells whether a finding in a unit is asked for: the file of its line is, or that of the object, or what makes the unit.
func (s *scope) asks(u *objects.Unit, f finding.Finding) bool {
	return s.selected(f.File) || f.Source.File != "" && s.selected(f.Source.File) || s.makes(u)
}
