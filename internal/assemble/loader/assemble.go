package loader

import (
	"context"
	"io/fs"
	"slices"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// Assembly is what units are made of.
type Assembly struct {
	Objects        []*objects.Object
	Kustomizations []*objects.Kustomization
	// Names are all files of the repository.
	Names []string
	// Files is the repository with the bytes that the objects were read from, see FilesOf; nil builds nothing.
	Files   render.Files
	Workers *render.Workers
	// Wanted picks the documents of interest, among what is built as well; Mentions tells of a text, such as a patch, whether
	// it may make a document one of interest.
	Wanted   func(*manifest.Document) bool
	Mentions func([]byte) bool
	// Also has further units built: those in which an object of interest may only be known by what was built. It may be nil.
	Also func(*objects.Unit) bool
	// Known and Must are for a repository of which most is put together already, see Rebuild: Known gives a unit that need not be
	// built again, asked by what it is made of, or nil; Must tells of units that are built although nothing changes their files,
	// or nothing of interest is in them. Both may be nil.
	Known func(*objects.Unit) *objects.Unit
	Must  func(*objects.Unit) bool
	// Remotes are the addresses of the repository's git remotes, see RemotesOf: by them Argo CD and Flux mean this repository.
	Remotes []string
	Charts  ChartAssembly
}

// ChartAssembly says how charts become units.
type ChartAssembly struct {
	charts.Settings
	// Wanted picks the documents of interest among what is rendered, and Mentions tells of the text of a chart whether there may
	// be any; nil takes all.
	Wanted   func(*manifest.Document) bool
	Mentions func([]byte) bool
}

// Assembled is a repository put together.
type Assembled struct {
	Units []*objects.Unit
	// Applications are what the repository says of who applies the units.
	Applications *applications.Set
}

// Assemble is AssembleAll for those who need the units only.
func Assemble(ctx context.Context, a Assembly) ([]*objects.Unit, error) {
	all, err := AssembleAll(ctx, a)
	return all.Units, err
}

// AssembleAll puts together what is applied together, as it is applied: overlays are built, also as applications of
// Argo CD and Flux have them, and charts are rendered. Everybody who makes units of a repository does so here, so that a fix
// is proven on what was linted. The error is that of ctx.
func AssembleAll(ctx context.Context, a Assembly) (Assembled, error) {
	rendered, err := a.rendered(ctx)
	if err != nil {
		return Assembled{}, err
	}
	units, set, err := applications.Build(ctx, applications.Options{
		Objects: a.Objects, Kustomizations: a.Kustomizations, Names: a.Names, Remotes: a.Remotes,
		Rendered: rendered, Charts: a.chartOptions(),
		Overlay: overlay.Options{
			Files: a.Files, Workers: a.Workers, Wanted: a.Wanted, Mentions: a.Mentions, Also: a.Also,
			Known: a.Known, Must: a.Must,
		},
	})
	return Assembled{Units: withCharts(units, rendered), Applications: set}, err
}

// rendered makes the units of charts.
func (a Assembly) rendered(ctx context.Context) ([]*objects.Unit, error) {
	if a.Files == nil {
		return nil, nil
	}
	options := a.chartOptions()
	options.Files = render.ReadOnce(a.Files)
	return charts.Build(ctx, charts.Sets(a.Names, options.Files, a.Charts.Settings), options)
}

func (a Assembly) chartOptions() charts.Options {
	return charts.Options{
		Files: a.Files, Workers: a.Workers, Wanted: a.Charts.Wanted, Mentions: a.Charts.Mentions,
		Known: a.Known, Must: a.Must,
	}
}

// withCharts puts the units of charts behind the others, but before the one of plain files, which comes last.
func withCharts(units, rendered []*objects.Unit) []*objects.Unit {
	at := len(units)
	if at > 0 && units[at-1].Kind == objects.PlainUnit {
		at--
	}
	return slices.Insert(units, at, rendered...)
}

// RemotesOf gives the addresses of a tree's git remotes.
func RemotesOf(tree any) []string {
	if tree, ok := tree.(interface{ Remotes() []string }); ok {
		return tree.Remotes()
	}
	return nil
}

// FilesOf gives the files of a tree for building; nil when it is none that has more than single files.
func FilesOf(tree any) render.Files {
	switch tree := tree.(type) {
	case interface{ Files() render.Files }:
		return tree.Files()
	case interface{ FS() fs.FS }:
		return render.FromFS(tree.FS())
	}
	return nil
}
