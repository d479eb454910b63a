package lint

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/prefilter"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/rules"
)

// Tree is where manifests come from: a repository, or standard input.
type Tree interface {
	loader.Tree
	Read(path string) ([]byte, error)
	// Selected tells whether the user asked about a file.
	Selected(path string) bool
}

// reader reads a tree in two steps: first the bytes of every file decide which documents could matter, and then only
// those are parsed. A repository without an object that any rule judges is not parsed at all.
type reader struct {
	registry *rules.Registry
	enabled  []string
	// judged documents start the work, context is wanted then, and of connected only what names lead to.
	judged, context, connected *manifest.Interest

	mu      sync.Mutex
	library library
	kinds   map[string]bool // of the documents that rules judge; "" when one does not show its kind
	values  bool            // whether charts may make something of interest of what stands elsewhere
	related *related
	matter  map[*manifest.Document]bool // the documents to parse
	quiet   *quiet
	brought bool                     // whether a rule asks about releases
	links   func() map[string]string // the symbolic links of the tree
	// role is a ClusterRole that the user named, or "".
	role string
	// bundled gives the bindings in bundles: the roles that they name matter as well. Nil gives none.
	bundled func() []*manifest.Document
	// charts are settings for rendering charts, and built the files to do so; nil renders none.
	charts charts.Settings
	built  render.Files
	// delivers are the objects of Argo CD and Flux.
	delivers *manifest.Interest
}

func newReader(registry *rules.Registry, enabled []string, role string) *reader {
	interest := registry.Interest(enabled)
	return &reader{
		registry:  registry,
		role:      role,
		enabled:   enabled,
		judged:    manifest.NewInterest(interest.Judged),
		context:   manifest.NewInterest(contextKinds(interest.Context)),
		connected: manifest.NewInterest(withTokens(interest.Connected)),
		delivers:  manifest.NewInterest(gitops.Kinds()),
		kinds:     map[string]bool{},
		related:   newRelated(),
		matter:    map[*manifest.Document]bool{},
		quiet:     newQuiet(registry, enabled),
		brought:   true,
		links:     func() map[string]string { return nil },
		library:   library{files: map[string]*manifest.File{}, texts: map[string][]byte{}},
	}
}

// contextKinds adds the kinds that matter to every rule: those that tell the target of a unit, and those of Argo CD and Flux,
// which tell what is applied together.
func contextKinds(kinds map[string][]string) map[string][]string {
	for _, more := range []map[string][]string{olm.SignKinds(), gitops.Kinds()} {
		for kind, words := range more {
			if _, there := kinds[kind]; !there {
				kinds[kind] = words
			}
		}
	}
	return kinds
}

// withTokens adds the Secrets with tokens of accounts. No rule judges them, but they go with an account that is pruned.
func withTokens(kinds map[string][]string) map[string][]string {
	if _, there := kinds["Secret"]; !there {
		kinds["Secret"] = []string{"kubernetes.io/service-account-token"}
	}
	return kinds
}

// read walks the tree and parses what matters.
func (r *reader) read(ctx context.Context, tree Tree, o repo.WalkOptions) (*library, error) {
	skipped, err := tree.Walk(ctx, o, r.visit)
	if err != nil {
		return nil, err
	}
	if err := r.readListed(ctx, tree, o.Exclude); err != nil {
		return nil, err
	}
	lib := &r.library
	lib.skipped = skipped
	slices.Sort(lib.names)
	if r.rendersAny() {
		r.kinds[""] = true // what charts hold is not known yet
	}
	r.quiet.settle(lib, r.links())
	lib.quiet, lib.kinds = r.quiet.is, r.kinds
	if len(r.kinds) == 0 && len(r.quiet.awake) == 0 {
		lib.files, lib.texts = nil, nil
		return lib, nil
	}
	r.narrow()
	r.choose()
	return lib, r.parse(ctx)
}

// rendersAny tells whether there is a chart that may hold something of interest.
func (r *reader) rendersAny() bool {
	if r.built == nil {
		return false
	}
	files := render.ReadOnce(r.built)
	sets := charts.Sets(r.library.names, files, r.charts)
	r.quiet.off = r.quiet.off || charts.AnyMentions(sets, files, r.quiet.appliers.Mentions)
	return len(sets) > 0 && r.values || charts.AnyMentions(sets, files, r.mentions)
}

// mentions tells whether something that rules judge may come of the text of a chart, or an application that says what to
// judge.
func (r *reader) mentions(text []byte) bool {
	return r.judged.Mentions(text) || r.delivers.Mentions(text)
}

// visit looks at the bytes of one file. It is called by several goroutines.
func (r *reader) visit(file repo.File) {
	if problem, noText := loader.NoText(file); noText {
		r.noteNoText(file, problem)
		return
	}
	f := manifest.Scan(file.Path, file.Data)
	var kinds []string
	values := false
	keep := objects.IsKustomizationFile(file.Path)
	mentions := keep && r.judged.Mentions(file.Data) // a patch in it may make an object one of interest
	r.quiet.see(f)
	for _, doc := range f.Docs {
		switch {
		case r.quiet.others.Wants(doc):
			kinds = append(kinds, doc.Kind())
		case r.judged.Wants(doc):
			keep = true
		case r.context.Wants(doc) || r.connected.Wants(doc) || loader.IsConfigMap(doc):
			keep = true
			mentions = mentions || mayPatch(doc.Kind()) && r.judged.Mentions(doc.Bytes())
			values = values || holdsValues(doc.Kind()) && r.judged.Mentions(doc.Bytes())
		}
	}
	if mentions {
		kinds = append(kinds, "")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.library.names = append(r.library.names, file.Path)
	r.library.keepText(file)
	r.library.documents += len(f.Docs)
	r.values = r.values || values
	for _, kind := range kinds {
		if manifest.IsContainer(kind) {
			kind = "" // what it holds is not known yet
		}
		r.kinds[kind] = true
	}
	if keep || len(kinds) > 0 {
		r.library.files[file.Path] = f
	}
}

// mayPatch tells of a kind that it may hold patches of other objects, as those of Argo CD and Flux do. Others name kinds
// without making any.
func mayPatch(kind string) bool {
	switch kind {
	case "", "Kustomization", "Application", "ApplicationSet":
		return true
	}
	return manifest.IsContainer(kind)
}

// holdsValues tells of a kind that it may hold what a chart makes objects of, or patches of these.
func holdsValues(kind string) bool { return kind == "HelmRelease" || kind == "ConfigMap" }

// noteNoText remembers a file in which there is nothing to be read.
func (r *reader) noteNoText(file repo.File, problem loader.Problem) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.library.names = append(r.library.names, file.Path)
	r.library.keepText(file)
	r.library.noText = append(r.library.noText, file)
	r.library.findings = append(r.library.findings, notRead(problem))
}

// narrow drops what only those rules want that judge none of the kinds there are.
func (r *reader) narrow() {
	if r.kinds[""] {
		return
	}
	interest := r.registry.Interest(slices.Collect(maps.Keys(r.quiet.awake)))
	if len(r.kinds) > 0 {
		interest.Join(r.registry.Interest(r.quiet.unnamed, slices.Collect(maps.Keys(r.kinds))...))
	}
	_, r.brought = interest.Context[prefilter.KindRelease]
	r.context = manifest.NewInterest(contextKinds(interest.Context))
	r.connected = manifest.NewInterest(withTokens(interest.Connected))
}

// choose decides which documents are parsed, and lets go of the files that have none.
func (r *reader) choose() {
	var seeds, roles []*manifest.Document
	idle := r.quiet.idle(r.brought)
	for _, f := range r.library.files {
		judges := false
		for _, doc := range f.Docs {
			spared := r.quiet.spares(doc)
			switch {
			case r.judged.Wants(doc) && !spared:
				seeds, judges = append(seeds, doc), true
			case idle[doc]:
			case r.context.Wants(doc):
				r.matter[doc] = true
			case r.connected.Wants(doc), spared && isBinding(doc):
				r.related.add(doc)
			}
		}
		roles = append(roles, rolesBeside(f, judges)...)
	}
	from := slices.Concat(seeds, roles)
	if r.bundled != nil {
		from = append(from, r.bundled()...)
	}
	for _, doc := range slices.Concat(seeds, r.related.to(from, r.role)) {
		r.matter[doc] = true
	}
	for _, doc := range loader.Settings(r.library.files, r.matters) {
		r.matter[doc] = true
	}
	for path, f := range r.library.files {
		if !objects.IsKustomizationFile(path) && !slices.ContainsFunc(f.Docs, r.matters) {
			delete(r.library.files, path)
		}
	}
}

// wants tells whether a document that was built is of interest.
func (r *reader) wants(doc *manifest.Document) bool {
	return r.judged.Wants(doc) || r.context.Wants(doc)
}

// wantsOfCharts tells whether a document that was rendered is of interest. What names connect it with is in the same chart.
func (r *reader) wantsOfCharts(doc *manifest.Document) bool {
	return r.wants(doc) || r.connected.Wants(doc) || loader.IsConfigMap(doc)
}

func (r *reader) matters(doc *manifest.Document) bool { return r.matter[doc] }

// parse parses the documents that matter, and takes over what came of it.
func (r *reader) parse(ctx context.Context) error {
	lib := &r.library
	selection := loader.Selection{Names: lib.names, Files: lib.files, Matters: r.matters}
	if r.built == nil {
		selection.Missed = r.judged.Wants
	}
	parsed, err := selection.Parse(ctx)
	lib.parsed, lib.broken = parsed.Documents, parsed.Broken
	lib.objects, lib.kustomizations = parsed.Objects, parsed.Kustomizations
	for _, p := range parsed.Problems {
		lib.findings = append(lib.findings, notRead(p))
	}
	return err
}

// Progress shows how far a run has come. Its methods are safe for concurrent use.
type Progress interface {
	// Stage begins a new count; total is 0 while it is unknown.
	Stage(what string, total int)
	// Add counts n more.
	Add(n int)
}

// counting reports each file to the progress as it is read.
type counting struct {
	Tree
	progress Progress
}

func (c counting) Walk(ctx context.Context, o repo.WalkOptions, visit func(repo.File)) ([]repo.Skip, error) {
	return c.Tree.Walk(ctx, o, func(f repo.File) {
		if c.progress != nil {
			c.progress.Add(1)
		}
		visit(f)
	})
}
