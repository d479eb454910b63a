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

// RenderedObject links an object to its rendering (objects.Applied.Made).
type RenderedObject struct {
	// Rendered is the rendering of the object.
	Rendered *Rendered
	// Index is the index of the object's template in Rendered.Templates.
	Index int
	// Form is the object as the chart renders it, if something changes it afterwards; nil otherwise.
	Form *objects.Object
}

// Form returns an object as its chart renders it: the object itself, unless something changes it afterwards.
func Form(o *objects.Object) *objects.Object {
	if made := Of(o); made != nil && made.Form != nil {
		return made.Form
	}
	return o
}

// IsStatic reports whether an object of a chart is applied as it is rendered, whatever changes the others: it is a CRD in crds/.
func (m *RenderedObject) IsStatic() bool { return m.Rendered.plain[m.Index].CRD }

// Of returns the rendering of an object of a chart; nil for all other objects.
func Of(o *objects.Object) *RenderedObject {
	if o.Applied == nil {
		return nil
	}
	made, _ := o.Applied.Made.(*RenderedObject)
	return made
}

// Template returns the template of the object, with trace: offsets in the document (objects.Applied.Doc) of its [Form] are
// offsets in its Text. The error is that of [Rendered.Templates].
func (m *RenderedObject) Template() (render.Template, error) {
	templates, err := m.Rendered.Templates()
	if err != nil {
		return render.Template{}, err
	}
	return templates[m.Index], nil
}

// Rendered is a chart rendered with a set of values.
type Rendered struct {
	Set Set
	// By is the kustomization file with the entry that renders the chart; "" if no kustomization does.
	By string

	// plain are the templates without trace; render returns them with trace.
	plain  []render.Template
	render func() ([]render.Template, error)
	files  render.Files
	// sources are the template files in the repository, including those that others include, and dependencies the folders of the
	// charts of the repository that are built into the chart.
	sources      []file
	dependencies []string

	once   sync.Once
	traced []render.Template
	fault  error
}

// Templates returns all templates of the rendering, with trace. The first call renders the chart again. The error is why
// that failed, or that the chart renders differently each time.
func (r *Rendered) Templates() ([]render.Template, error) {
	r.once.Do(func() {
		if r.traced, r.fault = r.render(); r.fault == nil && !sameTexts(r.plain, r.traced) {
			r.fault = errDiffers
		}
	})
	return r.traced, r.fault
}

var errDiffers = errors.New("the chart renders differently each time, so its output cannot be traced to lines of templates")

// Untraced returns all templates of the rendering without trace.
func (r *Rendered) Untraced() []render.Template { return r.plain }

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

// ValuesFiles returns the files of the repository with values: that of the chart, those of the dependencies that are built into it,
// and those of the set.
func (r *Rendered) ValuesFiles() []string {
	files := []string{path.Join(r.Set.Chart, "values.yaml")}
	for _, dir := range r.dependencies {
		files = append(files, path.Join(dir, "values.yaml"))
	}
	return append(files, r.Set.Files...)
}

// InDependency reports whether a file is that of a dependency of the chart.
func (r *Rendered) InDependency(file string) bool {
	return slices.ContainsFunc(append([]string{path.Join(r.Set.Chart, "charts")}, r.dependencies...), func(dir string) bool {
		return strings.HasPrefix(file, dir+"/")
	})
}

// Reads reports whether selected is true for a file that the rendering reads.
func (r *Rendered) Reads(selected func(string) bool) bool {
	return slices.ContainsFunc(r.sources, func(f file) bool { return selected(f.name) }) || slices.ContainsFunc(r.Set.Files, selected)
}

// Origin returns the chart and the template of an object, with the path inside an archive. It is false for an object of no
// chart.
func Origin(o *objects.Object) (chart, template string, ok bool) {
	made := Of(o)
	if made == nil {
		return "", "", false
	}
	t := made.Rendered.plain[made.Index]
	return made.Rendered.Set.Chart, path.Join(t.File, t.Inside), true
}

// Sources returns the template files that may have rendered objects of units, as they are in the repository, sorted by
// path.
func Sources(units []*objects.Unit) []*manifest.File {
	found := map[string]*manifest.File{}
	seen := map[*Rendered]bool{}
	for _, unit := range units {
		for _, o := range unit.Objects {
			made := Of(o)
			if made == nil || seen[made.Rendered] {
				continue
			}
			seen[made.Rendered] = true
			for _, source := range made.Rendered.sources {
				if found[source.name] == nil {
					found[source.name] = &manifest.File{Path: source.name, Data: source.data}
				}
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b *manifest.File) int { return strings.Compare(a.Path, b.Path) })
}

// Sources returns the texts of the template files in the chart's folder by name, including those of disabled dependencies.
func (r *Rendered) Sources() map[string]string {
	texts := map[string]string{}
	for _, f := range r.sources {
		texts[f.name] = strings.TrimPrefix(string(f.data), "\ufeff")
	}
	return texts
}
