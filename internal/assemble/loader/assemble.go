package loader

import (
	"context"
	"slices"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/installers"
	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/testfiles"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/refusal"
)

// Assembly is what deployment units are made of.
type Assembly struct {
	Objects        []*objects.Object
	Kustomizations []*objects.Kustomization
	// Names are the names of all files of the repository.
	Names []string
	// Files is the tree with the bytes from which the objects were read, see Tree.Files; nil builds nothing.
	Files   render.Files
	Workers *render.Workers
	// Ignored reports files that can exist where units are built although they are not in Files; nil for none.
	Ignored func(file string) bool
	// Absent returns why a path that a kustomization lists is not among Names, see [assembly.Builder.SetAbsent]; it can be nil.
	Absent func(target string) string
	// Wanted selects documents, also in the output of builds. Mentions reports whether a text, such as a patch, may turn a document
	// into one that is selected.
	Wanted   func(*manifest.Document) bool
	Mentions func([]byte) bool
	// Generated and Added decide about what kustomizations generate and add, see overlay.Options; nil for nothing.
	Generated func(kind string, text []byte) bool
	Added     func(text []byte) bool
	// Skipped returns the files of built objects that are left out because their documents were not parsed, see overlay.Options; nil for none.
	Skipped func(kind, namespace, name string) []string
	// Also reports further units that are built, because an object in question may exist only in their output; it can be nil.
	Also func(*objects.Unit) bool
	// Known and Must are for assembling a repository again, see Rebuild. Known returns the unit of the first time if it need not be
	// built again, or nil. Must reports units that are built although nothing changes their files, or no object in question is in
	// them. Both can be nil.
	Known func(*objects.Unit) *objects.Unit
	Must  func(*objects.Unit) bool
	// Defer reports units that are built only when they are needed, with the contents of the files that their kustomizations read
	// as something other than objects; nil defers none.
	Defer func(u *objects.Unit, inputs [][]byte) bool
	// Reports reports whether anything is reported about a file; nil: about all.
	Reports func(file string) bool
	// Remotes are the addresses of the git remotes, see Tree.Remotes.
	Remotes []string
	// Branches are those whose files are those of the tree, see Tree.Branches.
	Branches []string
	// Members are the repositories of a workspace, see Tree.Members.
	Members []gitops.Member
	// Links are the symbolic links, see Tree.Links.
	Links  map[string]string
	Charts ChartAssembly
	// Embedded are the kinds with manifests inside that the configuration adds.
	Embedded []objects.EmbeddedKind
	// Tests are the patterns of the settings for data of tests. Named reports whether a question names data of tests itself, which then counts; it can be nil.
	Tests []testfiles.Pattern
	Named func(folder, file string) bool
	// alone chooses kustomizations that are units although others list them; nil chooses none.
	alone *alone
	// tools are the files, manifests or not, that may install charts with separate settings.
	tools []string
	// Asked returns the target that the user requests for a file, see NewTargets.
	Asked func(file string) (target olm.Target, ok bool)
	// Overrides reports whether an override of the configuration decides on the target of a file; it can be nil.
	Overrides func(file string) bool
}

// ChartAssembly is how charts become units.
type ChartAssembly struct {
	charts.Settings
	// Wanted selects documents among what is rendered. Mentions reports whether the rendering of a text of a chart may have such
	// documents. Nil selects all.
	Wanted   func(*manifest.Document) bool
	Mentions func([]byte) bool
	// Incomplete reports charts with dependencies that are not in the repository, whatever their texts contain.
	Incomplete bool
}

// Assembled is the result of an assembly.
type Assembled struct {
	Units []*objects.Unit
	// Unapplied makes the units of files that no deployment applies, see [objects.Unapplied]. They are joined with nothing, and are not
	// among Units.
	Unapplied func(context.Context) ([]*objects.Unit, error)
	// NotApplied returns the files that no deployment applies, of some files.
	NotApplied func(files map[string]bool) []string
	// Applications are the applications of Argo CD and Flux that apply the units.
	Applications *applications.Set
}

// Assemble returns only the units of AssembleAll.
func Assemble(ctx context.Context, a Assembly) ([]*objects.Unit, error) {
	all, err := AssembleAll(ctx, a)
	return all.Units, err
}

// AssembleAll makes the deployment units in the form in which they are applied: it builds overlays, with what applications of
// Argo CD and Flux add to them, and renders charts. There is no other way to make units, so a fix is verified against the units
// that were linted. The error is that of ctx.
func AssembleAll(ctx context.Context, a Assembly) (Assembled, error) {
	a.Kustomizations, a.Objects = a.withPlugins(), a.installers().WithoutFleetPatches()
	tools := a.installers()
	installed := tools.Releases()
	rendered, err := a.rendered(ctx, installed.Sets)
	if err != nil {
		return Assembled{}, err
	}
	why := a.unapplied()
	rendered, tests := why.splitCharts(rendered)
	options := overlay.Options{
		Files: a.Files, Workers: a.Workers, Wanted: a.Wanted, Skipped: a.Skipped, Mentions: a.Mentions, Also: a.Also,
		Generated: a.Generated, Added: a.Added,
		WantedOfCharts: a.Charts.Wanted,
		Refusals:       refusal.New(a.Files, a.Ignored),
		Known:          a.Known, Must: a.Must, Defer: a.Defer, Reports: a.Reports,
	}
	units, set, err := applications.Build(ctx, applications.Options{
		Apart: why.is, Absent: a.Absent, Alone: a.chooseAlone, Scripted: a.isScripted, Lifted: a.isLifted, Objects: a.Objects, Kustomizations: a.Kustomizations, Names: a.Names, Remotes: a.Remotes, Branches: a.Branches, Members: a.Members, Links: a.Links,
		Rendered: rendered, Charts: a.chartOptions(),
		Overlay: options,
	})
	if err == nil {
		set.LeaveOut(tools.Patchers(rendered, installed.Unread))
	}
	all := a.withEmbedded(withCharts(units, installers.Replaced(units, rendered, installed)))
	NewTargets(a.Asked).setVersions(all)
	if err == nil {
		setWithheld(all, set)
	}
	unapplied := func(ctx context.Context) ([]*objects.Unit, error) {
		more, err := a.unappliedUnits(ctx, why, all, options)
		return append(more, tests...), err
	}
	notApplied := func(files map[string]bool) []string { return why.among(files, all) }
	return Assembled{Units: all, Unapplied: unapplied, NotApplied: notApplied, Applications: set}, err
}

// installers returns what tools that install charts are found in.
func (a Assembly) installers() installers.Inputs {
	return installers.Inputs{Names: a.Names, Candidates: a.tools, Files: a.Files, Objects: a.Objects, Kustomizations: a.Kustomizations}
}

func (a Assembly) chooseAlone(ctx context.Context, of *assembly.Builder) []*objects.Kustomization {
	if a.alone == nil {
		return nil
	}
	return a.alone.choose(ctx, of, a.isOverridden)
}

// isScripted reports whether a command in a file builds a folder.
func (a Assembly) isScripted(ctx context.Context, of *assembly.Builder, dir string) bool {
	return a.alone != nil && a.alone.isScripted(ctx, of, dir)
}

// isLifted reports whether commands build a folder only without the restriction to files below each kustomization.
func (a Assembly) isLifted(ctx context.Context, of *assembly.Builder, dir string) bool {
	return a.alone != nil && a.alone.isLifted(ctx, of, dir)
}

// isOverridden returns the target that an override of the configuration sets for a file, and whether there is one.
func (a Assembly) isOverridden(file string) (string, bool) {
	if a.Overrides == nil || !a.Overrides(file) {
		return "", false
	}
	target, _ := a.Asked(file)
	return target.Name, true
}

// withEmbedded inserts the units of what objects hold before the unit of plain files, which is the last.
func (a Assembly) withEmbedded(units []*objects.Unit) []*objects.Unit {
	var embedded []*objects.Unit
	for _, u := range units {
		embedded = append(embedded, u.EmbeddedUnits(a.Embedded...)...)
	}
	return beforePlain(units, embedded)
}

// rendered returns the units of charts: those with the settings, and with the values of releases.
func (a Assembly) rendered(ctx context.Context, installed []charts.Set) ([]*objects.Unit, error) {
	if a.Files == nil {
		return nil, nil
	}
	options := a.chartOptions()
	options.Files = render.ReadOnce(a.Files)
	sets := charts.Sets(a.Names, options.Files, a.Charts.Settings)
	isChart := map[string]bool{}
	for _, set := range sets {
		isChart[set.Chart] = true
	}
	for _, set := range installed {
		if isChart[set.Chart] {
			sets = append(sets, set)
		}
	}
	return charts.Build(ctx, sets, options)
}

func (a Assembly) chartOptions() charts.Options {
	return charts.Options{
		Files: a.Files, Workers: a.Workers, Wanted: a.Charts.Wanted, Mentions: a.Charts.Mentions,
		Known: a.Known, Must: a.Must, Incomplete: a.Charts.Incomplete, Configured: a.Charts.Settings.Charts,
	}
}

// withCharts inserts the units of charts after the others.
func withCharts(units, rendered []*objects.Unit) []*objects.Unit { return beforePlain(units, rendered) }

// beforePlain inserts units before the unit of plain files, which is the last.
func beforePlain(units, more []*objects.Unit) []*objects.Unit {
	at := len(units)
	if at > 0 && units[at-1].Kind == objects.PlainUnit {
		at--
	}
	return slices.Insert(units, at, more...)
}
