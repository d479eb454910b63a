package reading

import (
	"context"
	"sync"

	"github.com/salint/salint/internal/assemble/cluster"
	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/duplicates"
	"github.com/salint/salint/internal/lint/tokentexts"
)

// Reader reads a tree in two steps: the bytes of every file show which documents could matter, and then only those documents
// are parsed. Nothing is parsed in a repository without an object that a rule judges.
type Reader struct {
	options  Options
	decider  *decider
	texts    manifestTexts
	snapshot *Snapshot
}

// NewReader returns a reader of a tree.
func NewReader(o Options, tree loader.Tree) *Reader {
	r := &Reader{options: o, decider: newDecider(o)}
	r.snapshot = &Snapshot{
		Tree: tree, Kinds: r.decider.kinds, Asked: r.decider.asked, decider: r.decider, texts: texts{files: map[string][]byte{}}, TokenTexts: &tokentexts.Texts{}, Duplicates: &duplicates.Index{},
	}
	return r
}

// Read walks the tree and parses the documents that matter.
func (r *Reader) Read(ctx context.Context) error {
	r.options.Progress.Stage(Reading, 0)
	if err := r.walk(ctx); err != nil {
		return err
	}
	s := r.snapshot
	if !r.decider.limit(s.Tree, s.Collection, s.readAgain) {
		s.Collection.Files, s.texts.files = nil, nil
		return nil
	}
	if err := r.decider.decide(ctx, s.Collection.Files); err != nil {
		return err
	}
	s.Collection.Files = r.decider.needed(s.Collection.Files)
	r.decider.forget(s.Collection.Files)
	s.texts.shrink()
	return r.parse(ctx)
}

// walk reads the bytes of all files. It also reads scripts, which can contain manifests.
func (r *Reader) walk(ctx context.Context) (err error) {
	s, walk := r.snapshot, r.options.Walk
	walk.Texts = func(file string) bool { return textpaths.IsScript(file) || textpaths.MayHoldToken(file) }
	s.Collection, err = loader.Collector{Tree: s.Tree, Walk: walk, Keep: r.keep, Seen: r.seen, Listed: true}.Collect(ctx)
	if err == nil {
		s.addProblems(s.Collection.Problems)
	}
	return err
}

// keep is called with each file that may be a manifest. Several goroutines call it.
func (r *Reader) keep(f *manifest.File) bool {
	r.texts.inspect(f)
	r.snapshot.Duplicates.Inspect(f)
	return r.decider.keepFile(f)
}

// seen is called with each file. Several goroutines call it.
func (r *Reader) seen(file repo.File) {
	r.snapshot.TokenTexts.Inspect(file.Path, file.Data)
	if file.Text && !textpaths.IsScript(file.Path) {
		return
	}
	r.snapshot.texts.add(file)
	if file.Text {
		r.texts.inspectScript(file)
		r.decider.inspectProgram(file)
	}
	r.options.Progress.Step(Reading)
}

// parse parses the documents that matter.
func (r *Reader) parse(ctx context.Context) (err error) {
	s := r.snapshot
	r.options.Parsed.takeOver(s.Collection.Files, r.decider.decisions.parses)
	s.Parsed, err = s.Collection.Parse(ctx, s.Tree, r.decider.decisions.parses, r.decider.judgedKinds.Matches)
	s.addProblems(s.Parsed.Problems)
	return err
}

// Build makes the units of what was read, in the form in which they are applied, and returns the snapshot.
func (r *Reader) Build(ctx context.Context) (*Snapshot, error) {
	o, s := r.options, r.snapshot
	o.Progress.Stage(Building, 0)
	s.assembly = r.assembly()
	all, err := loader.AssembleAll(ctx, s.assembly)
	if err == nil {
		all, err = r.loadRenamedAccounts(ctx, all)
	}
	if err != nil {
		return nil, err
	}
	s.Units, s.Written, s.Applications = all.Units, all.Units, all.Applications
	if o.Eager {
		s.Units = objects.AllApplied(all.Units)
	}
	unapplied, err := all.Unapplied(ctx)
	if err != nil {
		return nil, err
	}
	s.Unapplied = objects.NotReplaced(unapplied)
	if last := len(all.Units) - 1; last >= 0 && all.Units[last].Kind == objects.PlainUnit {
		s.Unlisted = s.assembly.Unlisted(ctx, all.Units[last])
	}
	s.Dependencies = dependencies{o.Vendored, s}.unused()
	embedded := loader.EmbeddedKinds(o.Config)
	s.Findings = append(s.Findings, r.texts.notes(s.Collection.Names, renderedValues(all.Units), embedded)...)
	s.clustersBy = func(names map[string][]string) *cluster.Clusters {
		applications := all.Applications
		if o.Eager {
			applications = applications.OfAllUnits()
		}
		return delivery.AsWritten(s.Units, applications.Result, applications.Of).Clusters(cluster.NamesOf(names))
	}
	s.scripts = sync.OnceValue(func() map[string][]olm.Signal { return loader.ScriptSignals(s.Texts(textpaths.IsScript)) })
	s.clusters = sync.OnceValue(func() *cluster.Clusters { return s.clustersBy(o.Config.Clusters) })
	s.Delivery = delivery.NewLater(all.Units, func() delivery.Applications {
		whole := all.Applications.OfAllUnits()
		return delivery.Applications{Result: whole.Result, Of: whole.Of}
	})
	return s, nil
}

// assembly returns what the units are made of.
func (r *Reader) assembly() loader.Assembly {
	o, d := r.options, r.decider
	a := r.snapshot.Collection.Assembly(r.snapshot.Tree, r.snapshot.Parsed)
	a.Workers, a.Wanted, a.Mentions = o.Workers, d.wants, d.judgedKinds.MatchesText
	a.Generated, a.Added = d.judgedKinds.MatchesGenerated, d.judgedKinds.MatchesAdded
	a.Charts = loader.ChartAssembly{Settings: o.Charts, Wanted: d.wantsOfCharts, Mentions: d.mentions, Incomplete: true}
	a.Tests = loader.TestPatterns(o.Config)
	a.Embedded, a.Asked, a.Overrides = loader.EmbeddedKinds(o.Config), o.Requested.For, o.Requested.Overrides
	a.Skipped = d.prefilter.filesSkipped
	if d := r.deferral(); d != nil {
		a.Defer, a.Reports = d.defers, d.scope.SelectsFile
	}
	return a
}
