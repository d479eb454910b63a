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
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/prefilter"
	"github.com/salint/salint/internal/render"
)

// reader reads a tree in two steps: the bytes of every file show which documents could matter, and then only those documents
// are parsed. Nothing is parsed in a repository without an object that a rule judges.
type reader struct {
	session *Session
	tree    Tree
	// judgedKinds select the documents that rules judge. If there are any, context documents are parsed as well, and of connected
	// documents those to which names lead.
	judgedKinds, contextKinds, connectedKinds *manifest.Filter
	// applications are the objects of Argo CD and Flux.
	applications *manifest.Filter
	// holders are the kinds that hold manifests of other objects.
	holders map[string][]string

	mu       sync.Mutex
	contents contents
	// kept are the files that are kept, until it is decided which of their documents are parsed.
	kept      []keptFile
	values    bool // whether a HelmRelease or a ConfigMap may hold values from which a chart makes an object that rules judge
	closure   *nameClosure
	prefilter *documentFilter
	texts     manifestTexts
	// asksForReleases is true if a rule asks what releases install.
	asksForReleases bool
}

func (s *Session) newReader(tree Tree) *reader {
	interest := s.registry.Interest(s.enabled)
	holders := objects.EmbeddingKinds(loader.EmbeddedKinds(s.Config)...)
	r := &reader{
		session: s, tree: tree, holders: holders,
		judgedKinds:     manifest.NewFilter(interest.Judged).Inside(holders),
		contextKinds:    manifest.NewFilter(withContextKinds(interest.Context)).Inside(holders),
		connectedKinds:  manifest.NewFilter(withTokens(interest.Connected)).Inside(holders),
		applications:    manifest.NewFilter(gitops.Kinds()),
		closure:         newNameClosure(),
		prefilter:       newDocumentFilter(s.registry, s.enabled, holders),
		asksForReleases: true,
		contents: contents{
			kinds: map[string]bool{}, asked: map[string]bool{}, readings: map[*manifest.Document]loader.Reading{}, texts: texts{files: map[string][]byte{}},
		},
	}
	r.prefilter.parseAll = r.prefilter.parseAll || s.everything
	return r
}

// withContextKinds adds the kinds that matter to every rule: those from which the target of a unit is detected, and those of Argo
// CD and Flux, which show what is applied together.
func withContextKinds(kinds map[string][]string) map[string][]string {
	for _, more := range []map[string][]string{olm.SignalKinds(), gitops.Kinds()} {
		for kind, words := range more {
			if _, there := kinds[kind]; !there {
				kinds[kind] = words
			}
		}
	}
	return kinds
}

// withTokens adds the Secrets with tokens of accounts. They are pruned with their account, even if no rule judges them.
func withTokens(kinds map[string][]string) map[string][]string {
	if _, there := kinds["Secret"]; !there {
		kinds["Secret"] = []string{"kubernetes.io/service-account-token"}
	}
	return kinds
}

// read walks the tree and parses the documents that matter.
func (r *reader) read(ctx context.Context) (*contents, error) {
	c := &r.contents
	var err error
	c.Collection, err = loader.Collector{
		Tree: r.tree, Walk: r.walkOptions(), Keep: r.keep, Seen: r.seen, Listed: true,
	}.Collect(ctx)
	if err != nil {
		return nil, err
	}
	for _, problem := range c.Problems {
		c.findings = append(c.findings, problem.Finding())
	}
	if r.rendersAny() {
		c.kinds[""] = true // the kinds of rendered objects are not known yet
	}
	r.prefilter.decide(c.Collection, r.tree.Links(), &kustomizationGraph{
		read: r.readAgain, isVendored: r.session.Vendored,
	})
	c.prefilter = r.prefilter
	if len(c.kinds) == 0 && len(r.prefilter.activeRules) == 0 {
		c.Files, c.texts.files, r.kept = nil, nil, nil // the session keeps the reader
		return c, nil
	}
	r.narrow()
	if err := r.choose(ctx); err != nil {
		return nil, err
	}
	return c, r.parse(ctx)
}

// readAgain returns the content of a manifest that was read; nil if it cannot be read again.
func (r *reader) readAgain(file string) []byte {
	if data, kept := r.contents.texts.files[file]; kept {
		return data
	}
	if !r.contents.Has(file) {
		return nil
	}
	data, err := r.tree.Read(file)
	if err != nil {
		return nil
	}
	return data
}

// walkOptions also reads scripts, which can contain manifests.
func (r *reader) walkOptions() repo.WalkOptions {
	options := r.session.walkOptions()
	options.Texts = textpaths.IsScript
	return options
}

// rendersAny reports whether there is a chart that may contain an object that rules judge.
func (r *reader) rendersAny() bool {
	built := r.tree.Files()
	if built == nil {
		return false
	}
	files := render.ReadOnce(built)
	sets := charts.Sets(r.contents.Names, files, r.session.Charts)
	r.prefilter.parseAll = r.prefilter.parseAll || charts.AnyMentions(sets, files, r.prefilter.appliers.MatchesText)
	return len(sets) > 0 && r.values || charts.AnyMentions(sets, files, r.mentions)
}

// mentions reports whether the rendering of a text of a chart may contain an object that rules judge, or an application.
func (r *reader) mentions(text []byte) bool {
	return r.judgedKinds.MatchesText(text) || r.applications.MatchesText(text)
}

// seen is called with each file. Several goroutines call it.
func (r *reader) seen(file repo.File) {
	r.contents.texts.add(file)
	if file.Text {
		r.texts.inspectScript(file)
	}
	r.session.step(reading)
}

// keep decides by the bytes of a file whether to keep it, and takes note of the kinds in it. Several goroutines call it.
func (r *reader) keep(f *manifest.File) bool {
	var kinds []string
	values := false
	keep := objects.IsKustomizationFile(f.Path)
	mentions := keep && r.judgedKinds.MatchesText(f.Data) // a patch in it may turn an object into one that rules judge
	searches := searchesOf(f)
	r.prefilter.inspect(f, searches)
	r.texts.inspect(f)
	if slices.ContainsFunc(f.Docs, r.mayHoldAsked) {
		r.addAsked(f.Path)
	}
	for n, doc := range f.Docs {
		search := &searches[n]
		switch {
		case r.prefilter.unconditional.Selects(search):
			if kinds = append(kinds, doc.Kind()); r.judgedKinds.Holds(search) {
				kinds = append(kinds, "") // the kinds of the objects in it are not known yet
			}
		case r.judgedKinds.Selects(search):
			keep = true
			mentions = mentions || r.judgedKinds.Holds(search) && !manifest.IsContainer(doc.Kind())
		case r.contextKinds.Selects(search) || r.connectedKinds.Selects(search) || loader.IsConfigMap(doc) || namesAccountByVariable(doc):
			keep = true
			mentions = mentions || mayPatch(doc.Kind()) && r.judgedKinds.Names(search)
			values = values || holdsValues(doc.Kind()) && r.judgedKinds.Names(search)
		}
	}
	if mentions {
		kinds = append(kinds, "")
	}
	keep = keep || len(kinds) > 0
	if keep {
		r.addKept(keptFile{File: f, searches: searches}, values, kinds)
	}
	return keep
}

// searchesOf returns a search in each document of a file.
func searchesOf(f *manifest.File) []manifest.Search {
	searches := make([]manifest.Search, len(f.Docs))
	for n, doc := range f.Docs {
		searches[n].Document = doc
	}
	return searches
}

// addKept takes note of a file that is kept, and of what may be in it.
func (r *reader) addKept(file keptFile, values bool, kinds []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept = append(r.kept, file)
	r.values = r.values || values
	for _, kind := range kinds {
		r.contents.kinds[kind] = true
	}
}

// mayPatch reports whether objects of a kind can hold patches of other objects, as those of Argo CD and Flux do.
func mayPatch(kind string) bool {
	switch kind {
	case "", "Kustomization", "Application", "ApplicationSet":
		return true
	}
	return manifest.IsContainer(kind)
}

// holdsValues reports whether objects of a kind can hold the values of a chart, or patches of its objects.
func holdsValues(kind string) bool { return kind == "HelmRelease" || kind == "ConfigMap" }

// narrow drops the interest of the rules that judge none of the kinds in the repository.
func (r *reader) narrow() {
	if r.contents.kinds[""] {
		return
	}
	registry := r.session.registry
	interest := registry.Interest(slices.Collect(maps.Keys(r.prefilter.activeRules)))
	if len(r.contents.kinds) > 0 {
		interest.Join(registry.Interest(r.prefilter.unconditionalRules, slices.Collect(maps.Keys(r.contents.kinds))...))
	}
	_, r.asksForReleases = interest.Context[prefilter.KindRelease]
	r.contextKinds = manifest.NewFilter(withContextKinds(interest.Context)).Inside(r.holders)
	r.connectedKinds = manifest.NewFilter(withTokens(interest.Connected)).Inside(r.holders)
}

// bindingsOfBundles returns the bindings in the configured bundles. The roles to which they refer matter as well.
func (r *reader) bindingsOfBundles() []*manifest.Document {
	return r.session.Bundles.Bindings()
}

// parses reports whether a document is parsed.
func (r *reader) parses(doc *manifest.Document) bool { return r.contents.readings[doc].Parsed() }

// wants reports whether a document in the output of a build is selected.
func (r *reader) wants(doc *manifest.Document) bool { return r.selects(manifest.NewSearch(doc)) }

func (r *reader) selects(search *manifest.Search) bool {
	return r.judgedKinds.Selects(search) || r.contextKinds.Selects(search) || namesAccountByVariable(search.Document)
}

// wantsOfCharts reports whether a document in the rendering of a chart is selected. The documents to which names lead are in the
// same chart.
func (r *reader) wantsOfCharts(doc *manifest.Document) bool {
	search := manifest.NewSearch(doc)
	return r.selects(search) || r.connectedKinds.Selects(search) || loader.IsConfigMap(doc)
}

// parse parses the documents that matter.
func (r *reader) parse(ctx context.Context) (err error) {
	c := &r.contents
	r.session.takeOverParsed(c.Files, r.parses)
	c.parsed, err = c.Parse(ctx, r.tree, r.parses, r.judgedKinds.Matches)
	for _, p := range c.parsed.Problems {
		c.findings = append(c.findings, p.Finding())
	}
	return err
}
