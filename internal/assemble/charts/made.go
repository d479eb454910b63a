package charts

import (
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// Made is what this package knows of an object that it made (objects.Applied.Made).
type Made struct {
	// Rendered is the rendering that the object comes of.
	Rendered *Rendered
	// Index is the template of the object among Rendered.Templates.
	Index int
}

// Of gives what is known of an object of a chart; nil for every other.
func Of(o *objects.Object) *Made {
	if o.Applied == nil {
		return nil
	}
	made, _ := o.Applied.Made.(*Made)
	return made
}

// Template is the template that the object was rendered by, traced: offsets of the object's document (objects.Applied.Doc)
// are offsets of its Text. The error is that of [Rendered.Templates].
func (m *Made) Template() (render.Template, error) {
	templates, err := m.Rendered.Templates()
	if err != nil {
		return render.Template{}, err
	}
	return templates[m.Index], nil
}

// Rendered is a chart rendered with a set of values.
type Rendered struct {
	Set Set

	// plain are the templates without a trace, render those with one.
	plain  []render.Template
	render func() ([]render.Template, error)
	files  render.Files
	// sources are the templates as the user has them, those included that others include.
	sources []file

	once   sync.Once
	traced []render.Template
	fault  error
}

// Untraced are the templates as they were rendered for the unit, which cost nothing more.
func (r *Rendered) Untraced() []render.Template { return r.plain }

// Templates are all templates of the rendering, traced. Tracing renders the chart again, when it is first asked for: the error
// says why that failed, or that the chart renders to something else every time.
func (r *Rendered) Templates() ([]render.Template, error) {
	r.once.Do(func() {
		if r.traced, r.fault = r.render(); r.fault == nil && !sameTexts(r.plain, r.traced) {
			r.fault = errDiffers
		}
	})
	return r.traced, r.fault
}

var errDiffers = errors.New("the chart renders to something else every time, so it is not known which lines of its templates write what")

func sameTexts(a, b []render.Template) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || a[i].Text != b[i].Text {
			return false
		}
	}
	return true
}

// Reads tells whether a file that select picks has a part in what was rendered.
func (r *Rendered) Reads(selected func(string) bool) bool {
	return slices.ContainsFunc(r.sources, func(f file) bool { return selected(f.name) }) || slices.ContainsFunc(r.Set.Files, selected)
}

// Origin gives the chart that an object was rendered by, and its template, through the archive it may lie in; not ok for an
// object of no chart.
func Origin(o *objects.Object) (chart, template string, ok bool) {
	made := Of(o)
	if made == nil {
		return "", "", false
	}
	t := made.Rendered.plain[made.Index]
	return made.Rendered.Set.Chart, path.Join(t.File, t.Inside), true
}

// Sources are the files of templates that objects of units may have been rendered by, as the user has them, sorted.
func Sources(units []*objects.Unit) []*manifest.File {
	found := map[string]*manifest.File{}
	for _, unit := range units {
		for _, o := range unit.Objects {
			made := Of(o)
			if made == nil {
				continue
			}
			for _, source := range made.Rendered.sources {
				if found[source.name] == nil {
					found[source.name] = &manifest.File{Path: source.name, Data: source.data}
				}
			}
			break // all of a unit's are in one rendering
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b *manifest.File) int { return strings.Compare(a.Path, b.Path) })
}

// Sources are the files of templates below the chart's folder, those of dependencies that are turned off included, by name.
func (r *Rendered) Sources() map[string]string {
	texts := map[string]string{}
	for _, f := range r.sources {
		texts[f.name] = strings.TrimPrefix(string(f.data), "\ufeff")
	}
	return texts
}
