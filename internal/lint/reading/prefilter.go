package reading

import (
	"bytes"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/wordfilter"
	"github.com/salint/salint/internal/kube/flux"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/prefilter"
	"github.com/salint/salint/rules"
)

// documentFilter finds documents in which no rule finds anything, although rules concern their kinds and words: the objects to
// which they refer exist. A repository holds thousands of workloads and bindings that are correct, and parsing them takes longer
// than everything else.
//
// It decides only about objects that are applied as they are. All objects are parsed that a kustomization changes, or that a chart or an
// application uses.
type documentFilter struct {
	conditional []conditionalRule
	// unconditionalRules are the rules without conditions, and unconditional is what they judge.
	unconditionalRules []string
	unconditional      *wordfilter.Filter
	appliers           *wordfilter.Filter // the objects of Argo CD and Flux that apply folders
	accounts           *wordfilter.Filter

	mu sync.Mutex
	// candidates are the documents that conditional rules judge and that may be skippable.
	candidates []documentFacts
	// indexed are the documents that define the objects to which others refer.
	indexed  []documentFacts
	releases releases
	// defaultAccounts is true if a file shows the default of a controller of Flux for accounts.
	defaultAccounts bool
	// accountsAnywhere is true if there may be accounts whose namespace is unknown.
	accountsAnywhere bool
	// disabled is true if no file is inspected.
	disabled bool
	// parseAll is true if any file may be applied in another form, or if it is unknown which files are.
	parseAll bool
	// onlyPlain is true if there are no kustomizations, no charts, and nothing that applies folders.
	onlyPlain bool

	index *prefilter.Index
	// rulesFor are the documents that are decided, each with the rules that may find something in it. activeRules are all
	// conditional rules that may find something in any document.
	rulesFor    map[*manifest.Document][]string
	activeRules map[string]bool
	// unchanged are the documents of files that kustomizations list in which no conditional rule finds anything. skipped are the objects
	// of those that are not parsed.
	unchanged []documentFacts
	skipped   map[skippedObject][]string
}

// skippedObject identifies the object of a document that is not parsed, as it is written and as it is applied.
type skippedObject struct{ kind, namespace, name string }

// conditionalRule is a rule that finds something only where one of its conditions holds.
type conditionalRule struct {
	rule   string
	judged *wordfilter.Filter
	when   []string
}

type documentFacts struct {
	doc    *manifest.Document
	facts  *prefilter.Facts
	search *wordfilter.Search
}

func newDocumentFilter(registry *rules.Registry, enabled []string, holders map[string][]string) *documentFilter {
	conditional, others, ok := registry.Conditional(enabled)
	f := &documentFilter{
		unconditionalRules: others, unconditional: wordfilter.New(registry.Interest(others).Judged).Inside(holders),
		appliers: wordfilter.New(applierKinds()), accounts: wordfilter.New(map[string][]string{accountKind: nil}).Inside(holders),
		index: prefilter.NewIndex(), rulesFor: map[*manifest.Document][]string{}, activeRules: map[string]bool{},
		parseAll: !ok, disabled: !ok,
	}
	for _, rule := range conditional {
		f.conditional = append(f.conditional, conditionalRule{rule.Name, wordfilter.New(rule.Kinds).Inside(holders), rule.When})
	}
	return f
}

// applierKinds returns the kinds that apply folders.
func applierKinds() map[string][]string {
	kinds := gitops.Kinds()
	maps.DeleteFunc(kinds, func(kind string, _ []string) bool { return !slices.Contains(applying, kind) })
	return kinds
}

var applying = []string{"Application", "ApplicationSet", "Kustomization"}

// ignoreWord is in every comment and annotation that silences rules. Whether one of them silences anything is known only after
// all rules were evaluated, so documents of a file that contains the word are not skipped.
var ignoreWord = []byte("salint")

// inspect reads the facts of the documents of a file from their bytes, with a search in each. Several goroutines
// call it.
func (f *documentFilter) inspect(file *manifest.File, searches []wordfilter.Search) {
	if f.disabled {
		return
	}
	silences := bytes.Contains(file.Data, ignoreWord)
	var candidates, indexed []documentFacts
	var sources, irregular []*manifest.Document
	var active []string
	anywhere, parseAll := false, objects.IsKustomizationFile(file.Path) && f.appliers.MatchesText(file.Data)
	for n, doc := range file.Docs {
		search := &searches[n]
		parseAll = parseAll || f.appliers.Selects(search) || holdsValues(doc.Kind()) && f.appliers.Names(search)
		if isSource(doc.Kind()) {
			sources = append(sources, doc)
		}
		judged := f.judges(search)
		if !judged && !prefilter.Indexes(doc.Kind()) {
			anywhere = anywhere || f.accounts.Selects(search)
			continue
		}
		facts, plain := prefilter.Read(doc)
		switch {
		case judged && (!plain || silences || f.unconditional.Holds(search)):
			for c := range f.judging(search) {
				active = append(active, c.rule)
			}
		case judged:
			candidates = append(candidates, documentFacts{doc, facts, search})
		}
		if !plain {
			anywhere = anywhere || f.accounts.Selects(search)
			if doc.Kind() == prefilter.KindRelease {
				irregular = append(irregular, doc)
			}
			continue
		}
		if prefilter.Indexes(facts.Kind) {
			indexed = append(indexed, documentFacts{doc, facts, search})
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.candidates, f.indexed = append(f.candidates, candidates...), append(f.indexed, indexed...)
	f.releases.sources, f.releases.irregular = append(f.releases.sources, sources...), append(f.releases.irregular, irregular...)
	f.defaultAccounts = f.defaultAccounts || flux.ShowsDefaultAccount(file.Data)
	f.accountsAnywhere, f.parseAll = f.accountsAnywhere || anywhere, f.parseAll || parseAll
	for _, rule := range active {
		f.activeRules[rule] = true
	}
}

// isSource reports whether Flux takes charts from objects of a kind.
func isSource(kind string) bool {
	switch kind {
	case "HelmRepository", "OCIRepository", "GitRepository", "Bucket", "HelmChart":
		return true
	}
	return false
}

// judging returns the conditional rules that judge a document.
func (f *documentFilter) judging(search *wordfilter.Search) iter.Seq[*conditionalRule] {
	return func(yield func(*conditionalRule) bool) {
		for n := range f.conditional {
			if c := &f.conditional[n]; c.judged.Selects(search) && !yield(c) {
				return
			}
		}
	}
}

// judges reports whether a conditional rule judges a document.
func (f *documentFilter) judges(search *wordfilter.Search) bool {
	for range f.judging(search) {
		return true
	}
	return false
}

// decide decides about the candidates after all files were inspected.
func (f *documentFilter) decide(files *loader.Collection, links map[string]string, graph *kustomizationGraph) {
	transformed, onlyPlain, known := graph.find(files, len(links) > 0)
	f.parseAll = f.parseAll || !known
	f.onlyPlain = !f.parseAll && onlyPlain
	f.fillIndex(transformed)
	for _, candidate := range f.candidates {
		decided := !f.parseAll && !transformed.has(candidate.doc.File.Path, candidate.doc.Kind())
		var rules []string
		for c := range f.judging(candidate.search) {
			if !decided || f.index.MayApply(c.when, candidate.facts) {
				rules = append(rules, c.rule)
				f.activeRules[c.rule] = true
			}
		}
		if decided {
			f.rulesFor[candidate.doc] = rules
		}
		if decided && len(rules) == 0 && transformed.lists(candidate.doc.File.Path) {
			f.unchanged = append(f.unchanged, candidate)
		}
	}
}

// skippable reports whether no rule finds anything in a document.
func (f *documentFilter) skippable(search *wordfilter.Search) bool {
	rules, decided := f.rulesFor[search.Document]
	return decided && len(rules) == 0 && !f.unconditional.Selects(search)
}

// skip takes note of the objects that are not parsed, although kustomizations apply them.
func (f *documentFilter) skip(parses func(*manifest.Document) bool) {
	f.skipped = map[skippedObject][]string{}
	for _, d := range f.unchanged {
		if !parses(d.doc) {
			key := skippedObject{d.facts.Kind, d.facts.Namespace, d.facts.Name}
			f.skipped[key] = append(f.skipped[key], d.doc.File.Path)
		}
	}
	f.unchanged = nil
}

// filesSkipped returns the files of a built object that is left out, like its document: what it refers to was not read, so rules would miss it.
func (f *documentFilter) filesSkipped(kind, namespace, name string) []string {
	return f.skipped[skippedObject{kind, namespace, name}]
}

// forget keeps only what is known about the documents of some files. What was read from all others, and with it their contents, would
// stay in memory for the whole run.
func (f *documentFilter) forget(kept map[string]*manifest.File) {
	f.candidates, f.indexed, f.releases, f.index = nil, nil, releases{}, nil
	maps.DeleteFunc(f.rulesFor, func(doc *manifest.Document, _ []string) bool { return kept[doc.File.Path] == nil })
}

// findsNothing reports whether a conditional rule finds nothing in a document.
func (f *documentFilter) findsNothing(rule string, doc *manifest.Document) bool {
	rules, decided := f.rulesFor[doc]
	return decided && !slices.Contains(rules, rule)
}

// anonymousReleases returns the releases of which nothing else matters than where they may install something, see
// [releases.anonymous].
func (f *documentFilter) anonymousReleases() []documentFacts {
	if !f.onlyPlain {
		return nil
	}
	return f.releases.anonymous()
}

func (f *documentFilter) fillIndex(transformed transformedPaths) {
	if f.accountsAnywhere {
		f.index.AddAccountIn("")
	}
	if f.defaultAccounts {
		f.index.AddDefaultAccounts()
	}
	for _, d := range f.indexed {
		if d.facts.Kind == prefilter.KindRelease {
			f.releases.all = append(f.releases.all, d)
		}
		if d.facts.Kind == accountKind && d.facts.Namespace != "" {
			f.index.AddAccountIn(d.facts.Namespace)
		}
		if d.facts.Kind == accountKind && d.facts.Namespace == "" {
			f.index.AddOpenAccount()
		}
		if !transformed.has(d.doc.File.Path, d.doc.Kind()) {
			f.index.Add(d.facts)
		}
	}
}
