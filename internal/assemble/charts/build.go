package charts

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// Options configure [Build].
type Options struct {
	// Files is the repository.
	Files   render.Files
	Workers *render.Workers
	// Wanted selects the rendered documents to keep; nil keeps all.
	Wanted func(*manifest.Document) bool
	// Mentions reports whether the text of a chart may produce a relevant object; nil: every chart may.
	Mentions func([]byte) bool
	// Known returns the unit of an earlier run that is still valid, looked up by its inputs, or nil. Must reports units
	// that are rendered whatever their texts contain. Both functions can be nil.
	Known func(*objects.Unit) *objects.Unit
	Must  func(*objects.Unit) bool
	// Configured are the charts in the configuration, by folder: their versions apply to every set, applications' included.
	Configured map[string]Chart
	// Incomplete also renders charts with dependencies that are not in the repository, which fails, so that they are reported.
	Incomplete bool
}

// Build renders charts in parallel and returns a unit for each set. A chart that cannot be rendered has no objects and a
// problem with the reason. Charts that cannot contain anything relevant are left out. The error is that of ctx.
func Build(ctx context.Context, sets []Set, o Options) ([]*objects.Unit, error) {
	if o.Files == nil || len(sets) == 0 {
		return nil, ctx.Err()
	}
	b := &builder{Options: o, ctx: ctx}
	sets = o.configured(sets)
	b.Files = render.ReadOnce(o.Files)
	units, failures := make([]*objects.Unit, len(sets)), make([]*failure, len(sets))
	err := parallel.Do(ctx, len(sets), func(i int) { units[i], failures[i] = b.unit(sets[i]) })
	for i, f := range failures {
		if f != nil && sets[i].Tested { // the chart refuses these versions, or all of them together
			failures[i] = nil
			b.uncover(units, sets, i)
		}
	}
	messages := messagesOf(failures)
	for i, f := range failures {
		if f != nil {
			units[i] = f.bare.Unbuilt(objects.Problem{Position: f.position, Message: messages[f.topic()], Refusal: f.refusal})
		}
	}
	return slices.DeleteFunc(units, func(u *objects.Unit) bool { return u == nil }), err
}

// uncover adds to the set that a further one belongs to what was checked in one way only, because the further one cannot be rendered.
func (b *builder) uncover(units []*objects.Unit, sets []Set, further int) {
	for i, set := range sets {
		if set.Chart != sets[further].Chart || set.Tested || len(set.OtherVersions) == 0 || units[i] == nil {
			continue
		}
		set.OtherVersions, set.Together = nil, false
		for _, p := range b.conditions(set, read(b.Files, set.Chart, set.Dependencies)) {
			if !slices.Contains(units[i].Problems, p) {
				units[i].Problems = append(units[i].Problems, p)
			}
		}
	}
}

// configured returns the sets with the versions of the configuration. Those of an application itself win.
func (o Options) configured(sets []Set) []Set {
	sets = slices.Clone(sets)
	for i, set := range sets {
		chart := o.Configured[set.Chart]
		sets[i].KubeVersion = cmp.Or(set.KubeVersion, chart.KubeVersion)
		for _, version := range chart.APIVersions {
			if !slices.Contains(set.APIVersions, version) {
				sets[i].APIVersions = append(slices.Clip(sets[i].APIVersions), version)
			}
		}
	}
	return sets
}

type builder struct {
	Options
	ctx context.Context
	// stopped has the charts of which a set exceeded a limit. Their other sets are not tried, because each can take as long.
	stopped sync.Map
}

// errNotTried is why a set is not rendered of which another one exceeded a limit.
var errNotTried = errors.New("another set of values exceeded a limit (limits.renderTime or limits.renderMemory), so this one was not tried")

// templates renders a set, unless another one of the chart exceeded a limit.
func (b *builder) templates(set Set, options render.ChartOptions) ([]render.Template, error) {
	if _, stopped := b.stopped.Load(set.Chart); stopped {
		return nil, errNotTried
	}
	templates, err := render.Templates(b.ctx, b.Files, set.Chart, options)
	if _, exceeded := errors.AsType[*render.LimitError](err); exceeded {
		b.stopped.Store(set.Chart, true)
	}
	return templates, err
}

// unit returns the unit of a set, or why it cannot be rendered. It is nil if the chart contains nothing relevant.
func (b *builder) unit(set Set) (*objects.Unit, *failure) {
	bare := &objects.Unit{
		Name: set.Name, Root: set.Chart, Kind: objects.ChartUnit, Namespace: set.Namespace,
		Renderings: []objects.Rendering{set.Rendering(b.Files)},
	}
	if b.Known != nil {
		if known := b.Known(bare); known != nil {
			return known, nil
		}
	}
	if len(set.Problems) > 0 {
		return bare.Unbuilt(set.Problems...), nil
	}
	c := read(b.Files, set.Chart, set.Dependencies)
	must := b.Must != nil && b.Must(bare)
	switch {
	case !must && !c.mayConcern(set, b.Mentions) && !(b.Incomplete && c.incomplete(set.Chart)):
		return nil, nil
	case c.library:
		bare.Problems = append(bare.Problems, objects.Problem{Position: orChart(objects.Position{}, set.Chart),
			Message: "a library chart is not rendered by itself: its templates were checked only as parts of the charts that contain it"})
		return bare.Build(nil), nil
	}
	return b.render(bare, set, c)
}

func (b *builder) render(bare *objects.Unit, set Set, c content) (*objects.Unit, *failure) {
	options := b.options(set, c)
	options.Note = func(note string) {
		bare.Problems = append(bare.Problems, objects.Problem{Position: orChart(objects.Position{}, set.Chart), Message: note})
	}
	var others []render.Elsewhere
	options.Elsewhere = func(other render.Elsewhere) { others = append(others, other) }
	templates, err := b.templates(set, options)
	if err != nil {
		return nil, newFailure(bare, set, c, err)
	}
	options.Note, options.Elsewhere, options.Trace = nil, nil, true
	r := &Rendered{Set: set, plain: templates, files: b.Files, sources: c.templates(), dependencies: bare.Renderings[0].Dependencies, render: func() ([]render.Template, error) {
		return render.Templates(b.ctx, b.Files, set.Chart, options)
	}}
	objects, err := r.objects(b.Wanted)
	if err != nil {
		return nil, newFailure(bare, set, c, err)
	}
	bare.Problems = slices.Concat(bare.Problems, b.conditions(set, c), b.elsewhere(set, templates, others), r.repeatedKeys(objects))
	bare.Renderings[0].Empty, bare.Renderings[0].Shows = b.empty(c, templates), shows(templates)
	return bare.Build(objects), nil
}

// defaultRelease is the release name of a chart whose own name is not a valid release name.
const defaultRelease = "release-name"

func (b *builder) options(set Set, c content) render.ChartOptions {
	o := render.ChartOptions{
		Workers: b.Workers, ReleaseName: set.ReleaseName, Namespace: set.Namespace, Values: set.Values,
		KubeVersion: set.KubeVersion, APIVersions: set.APIVersions, Dependencies: set.Dependencies,
		Stable: set.Dependencies == render.BuiltByFlux, // helm-controller asks the cluster
	}
	if o.ReleaseName == "" {
		o.ReleaseName = releaseName(c.name)
	}
	if o.Namespace == "" {
		o.Namespace = objects.ReleaseNamespace
	}
	return o
}
