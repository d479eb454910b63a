package reading

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/coverage"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/wordfilter"
	"github.com/salint/salint/internal/kube/flux"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/prefilter"
	"github.com/salint/salint/internal/render"
)

// decider decides which documents of a tree are parsed. It does so in stages, because what is known grows:
//
//  1. keepFile sees the bytes of one file, while the walk reads it. A file in which nothing may matter is dropped at once.
//  2. limit sees what the repository has: which rules can find anything, and what kustomizations and charts transform. It decides about
//     no document, but limits what the next stage selects.
//  3. byBytes makes a decision about each document of the files that were kept.
//  4. byNames parses documents without a connection so far, if names lead to them from documents that are parsed.
//  5. bySettings parses documents from which applications take values or variables.
//  6. byPlaces parses some of the anonymous releases: one for each place about which a rule can ask.
//  7. byRenamedAccounts parses accounts that no name leads to, after the units were built without them.
//
// Each of the stages 4 to 7 can only change that a document is not parsed.
type decider struct {
	options Options
	// judgedKinds select the documents that rules judge. If there are any, context documents are parsed as well, and of connected
	// documents those to which names lead.
	judgedKinds, contextKinds, connectedKinds *wordfilter.Filter
	// applications are the objects of Argo CD and Flux.
	applications *wordfilter.Filter
	// holders are the kinds that hold manifests of other objects.
	holders map[string][]string

	mu sync.Mutex
	// kinds are the kinds that rules judge and that any document has; "" if a document does not show its kind.
	kinds map[string]bool
	// asked are the files that may hold an object of askedGroups.
	asked map[string]bool
	// patches are the files with a JSON patch, and unreadable are those with a document of no known kind that is not valid YAML.
	patches    []string
	unreadable map[string]coverage.Gap
	// kept are the files that are kept, until it is decided which of their documents are parsed.
	kept   []keptFile
	values bool // whether a HelmRelease or a ConfigMap may hold values from which a chart makes an object that rules judge
	// programs is set if a file of Jsonnet may make an object that rules judge.
	programs  atomic.Bool
	closure   *nameClosure
	prefilter *documentFilter
	// asksForReleases is true if a rule asks what releases install.
	asksForReleases bool
	decisions       decisions
}

func newDecider(o Options) *decider {
	interest := o.Registry.Interest(o.Enabled)
	holders := objects.EmbeddingKinds(loader.EmbeddedKinds(o.Config)...)
	d := &decider{
		options: o, holders: holders,
		judgedKinds:     wordfilter.New(interest.Judged).Inside(holders),
		contextKinds:    wordfilter.New(withContextKinds(interest.Context, o.Kinds)).Inside(holders),
		connectedKinds:  wordfilter.New(withTokens(interest.Connected)).Inside(holders),
		applications:    wordfilter.New(gitops.Kinds()),
		closure:         newNameClosure(),
		prefilter:       newDocumentFilter(o.Registry, o.Enabled, holders),
		asksForReleases: true,
		kinds:           map[string]bool{}, asked: map[string]bool{}, unreadable: map[string]coverage.Gap{}, decisions: decisions{},
	}
	d.prefilter.parseAll = d.prefilter.parseAll || o.Everything
	return d
}

// withContextKinds adds the kinds that matter to every rule: those from which the target of a unit is detected, and those of Argo
// CD and Flux, which show what is applied together and as which account; and all objects of more kinds.
func withContextKinds(kinds map[string][]string, all []string) map[string][]string {
	for _, kind := range all {
		kinds[kind] = nil
	}
	for _, more := range []map[string][]string{olm.SignalKinds(), gitops.Kinds()} {
		for kind, words := range more {
			if _, there := kinds[kind]; !there {
				kinds[kind] = words
			}
		}
	}
	if words := kinds["Deployment"]; len(words) > 0 { // without words, all are read
		kinds["Deployment"] = append(slices.Clone(words), flux.DefaultAccountWord)
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

// keptFile is a file of which documents may be parsed.
type keptFile struct {
	*manifest.File
	// searches has an element for each document.
	searches []wordfilter.Search
}

// keepFile decides by the bytes of a file whether to keep it, and takes note of the kinds in it. Several goroutines call it.
func (d *decider) keepFile(f *manifest.File) bool {
	var kinds []string
	values := false
	keep := objects.IsKustomizationFile(f.Path)
	mentions := keep && d.judgedKinds.MatchesText(f.Data) // a patch in it may turn an object into one that rules judge
	searches := searchesOf(f)
	d.prefilter.inspect(f, searches)
	if slices.ContainsFunc(f.Docs, d.mayHoldAsked) {
		d.addAsked(f.Path)
	}
	if coverage.IsJSONPatch(f) {
		d.addPatch(f.Path)
	}
	d.addUnreadable(f)
	for n, doc := range f.Docs {
		search := &searches[n]
		switch {
		case d.prefilter.unconditional.Selects(search):
			if kinds = append(kinds, doc.Kind()); d.judgedKinds.Holds(search) {
				kinds = append(kinds, "") // the kinds of the objects in it are not known yet
			}
		case d.judgedKinds.Selects(search):
			keep = true
			mentions = mentions || d.judgedKinds.Holds(search) && !manifest.IsContainer(doc.Kind())
		case d.contextKinds.Selects(search) || d.connectedKinds.Selects(search) || loader.IsConfigMap(doc) || namesAccountByVariable(doc):
			keep = true
			mentions = mentions || mayPatch(doc.Kind()) && d.judgedKinds.Names(search)
			values = values || holdsValues(doc.Kind()) && d.judgedKinds.Names(search)
		}
	}
	if mentions {
		kinds = append(kinds, "")
	}
	keep = keep || len(kinds) > 0
	if keep {
		d.addKept(keptFile{File: f, searches: searches}, values, kinds)
	}
	return keep
}

// searchesOf returns a search in each document of a file.
func searchesOf(f *manifest.File) []wordfilter.Search {
	searches := make([]wordfilter.Search, len(f.Docs))
	for n, doc := range f.Docs {
		searches[n].Document = doc
	}
	return searches
}

// addKept takes note of a file that is kept, and of what may be in it.
func (d *decider) addKept(file keptFile, values bool, kinds []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept = append(d.kept, file)
	d.values = d.values || values
	for _, kind := range kinds {
		d.kinds[kind] = true
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

// limit limits the interest to the rules that can find anything in the repository. It returns false if none can, so that nothing is
// parsed.
func (d *decider) limit(tree loader.Tree, files *loader.Collection, read func(file string) []byte) (any bool) {
	if d.rendersAny(tree, files.Names) {
		d.kinds[""] = true // the kinds of rendered objects are not known yet
	}
	if d.programs.Load() && slices.ContainsFunc(d.kept, appliesPrograms) {
		d.kinds[""] = true // what programs make is not known at all
	}
	d.prefilter.decide(files, tree.Links(), &kustomizationGraph{read: read, isVendored: d.options.Vendored, members: tree.Members()})
	d.addKindsOfKustomizations(files)
	if len(d.kinds) == 0 && len(d.prefilter.activeRules) == 0 && !d.mayNotBeDelivered() {
		d.kept = nil // the session keeps the decider
		return false
	}
	d.narrow()
	return true
}

// mayNotBeDelivered reports whether there may be an application whose tool fails to apply it, if a rule reports that.
func (d *decider) mayNotBeDelivered() bool {
	return slices.Contains(d.options.Enabled, finding.RuleNotDelivered.Name) && slices.ContainsFunc(d.kept, func(f keptFile) bool {
		return slices.ContainsFunc(f.Docs, func(doc *manifest.Document) bool { return d.applications.MatchesText(doc.Bytes()) })
	})
}

// addKindsOfKustomizations takes note of the kinds that kustomizations generate, and of what they add to objects of any kind.
func (d *decider) addKindsOfKustomizations(files *loader.Collection) {
	for name, f := range files.Files {
		if !objects.IsKustomizationFile(name) {
			continue
		}
		for _, doc := range f.Docs {
			if doc.Parse() != nil {
				continue // reported when the kustomization is read
			}
			for _, kind := range objects.Generated(doc) {
				if d.judgedKinds.Has(kind) {
					d.kinds[kind] = true
				}
			}
			if slices.ContainsFunc(objects.AddedTexts(doc), d.judgedKinds.MatchesAdded) {
				d.kinds[""] = true
			}
		}
	}
}

// rendersAny reports whether there is a chart that may contain an object that rules judge.
func (d *decider) rendersAny(tree loader.Tree, names []string) bool {
	built := tree.Files()
	if built == nil {
		return false
	}
	files := render.ReadOnce(built)
	sets := charts.Sets(names, files, d.options.Charts)
	d.prefilter.parseAll = d.prefilter.parseAll || charts.AnyMentions(sets, files, d.prefilter.appliers.MatchesText)
	return len(sets) > 0 && d.values || charts.AnyMentions(sets, files, d.mentions)
}

// mentions reports whether the rendering of a text of a chart may contain an object that rules judge, or an application.
func (d *decider) mentions(text []byte) bool {
	return d.judgedKinds.MatchesText(text) || d.applications.MatchesText(text)
}

// mayGenerate reports whether an object of a kind that is generated from a text matters.
func (d *decider) mayGenerate(kind string, text []byte) bool {
	return d.judgedKinds.MatchesGenerated(kind, text) || d.connectedKinds.MatchesGenerated(kind, text) || d.contextKinds.MatchesGenerated(kind, text)
}

// narrow drops the interest of the rules that judge none of the kinds in the repository.
func (d *decider) narrow() {
	if d.kinds[""] {
		return
	}
	registry := d.options.Registry
	interest := registry.Interest(slices.Collect(maps.Keys(d.prefilter.activeRules)))
	if len(d.kinds) > 0 {
		interest.Join(registry.Interest(d.prefilter.unconditionalRules, slices.Collect(maps.Keys(d.kinds))...))
	}
	_, d.asksForReleases = interest.Context[prefilter.KindRelease]
	d.contextKinds = wordfilter.New(withContextKinds(interest.Context, d.options.Kinds)).Inside(d.holders)
	d.connectedKinds = wordfilter.New(withTokens(interest.Connected)).Inside(d.holders)
}
