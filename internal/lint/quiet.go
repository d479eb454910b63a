package lint

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/prefilter"
	"github.com/salint/salint/rules"
)

// quiet finds the documents in which no rule can find anything although their kinds and words say that it could: what they
// refer to is there. A repository holds thousands of workloads and bindings that are in order, and parsing them costs more
// than everything else.
//
// It only speaks of files that are applied as they stand, and by nobody who is seen here: whatever a kustomization, a chart
// or an application has to do with is parsed.
type quiet struct {
	conditional []conditional
	// unnamed are the rules without conditions, and others what they judge.
	unnamed  []string
	others   *manifest.Interest
	appliers *manifest.Interest // Argo CD and Flux having folders applied
	accounts *manifest.Interest

	mu sync.Mutex
	// held are the documents that rules with conditions judge, if one may hold for them.
	held []heldDocument
	// shown are those that say what there is.
	shown    []heldDocument
	releases releases
	// hidden tells that there may be accounts of which nobody knows the namespace.
	hidden bool
	// blind tells that nothing is to be looked at.
	blind bool
	// off tells that something may apply files in another form, or nobody knows which.
	off bool

	// alone tells that there are neither kustomizations nor charts, and nothing that applies folders.
	alone bool

	index *prefilter.Index
	// known are the documents of which something is known, each with the rules for which a condition may hold, and awake
	// all such rules.
	known map[*manifest.Document][]string
	awake map[string]bool
}

// conditional is a rule that finds something only where a condition holds.
type conditional struct {
	rule   string
	judged *manifest.Interest
	when   []string
}

type heldDocument struct {
	doc   *manifest.Document
	facts *prefilter.Facts
}

func newQuiet(registry *rules.Registry, enabled []string) *quiet {
	rulesWith, others, ok := registry.Conditional(enabled)
	q := &quiet{
		unnamed: others, others: manifest.NewInterest(registry.Interest(others).Judged), appliers: manifest.NewInterest(applierKinds()),
		accounts: manifest.NewInterest(map[string][]string{accountKind: nil}),
		index:    prefilter.NewIndex(), known: map[*manifest.Document][]string{}, awake: map[string]bool{}, off: !ok, blind: !ok,
	}
	for _, rule := range rulesWith {
		q.conditional = append(q.conditional, conditional{rule.Name, manifest.NewInterest(rule.Kinds), rule.When})
	}
	return q
}

// applierKinds are the kinds that have folders applied.
func applierKinds() map[string][]string {
	kinds := gitops.Kinds()
	maps.DeleteFunc(kinds, func(kind string, _ []string) bool { return !slices.Contains(applying, kind) })
	return kinds
}

var applying = []string{"Application", "ApplicationSet", "Kustomization"}

// ignoreWord is in every comment and annotation that silences rules: whether it is of use is only known when all rules had
// their say.
var ignoreWord = []byte("salint")

// see takes note of a file. It is called by several goroutines.
func (q *quiet) see(f *manifest.File) {
	if q.blind {
		return
	}
	silences := bytes.Contains(f.Data, ignoreWord)
	var docs, shown []heldDocument
	var sources, odd []*manifest.Document
	var awake []string
	hidden, off := false, objects.IsKustomizationFile(f.Path) && q.appliers.Mentions(f.Data)
	for _, doc := range f.Docs {
		off = off || q.appliers.Wants(doc) || holdsValues(doc.Kind()) && q.appliers.Mentions(doc.Bytes())
		if isSource(doc.Kind()) {
			sources = append(sources, doc)
		}
		judges := q.judging(doc)
		if len(judges) == 0 && !prefilter.Indexes(doc.Kind()) {
			hidden = hidden || q.accounts.Wants(doc)
			continue
		}
		facts, plain := prefilter.Read(doc)
		switch {
		case len(judges) > 0 && (!plain || silences || manifest.IsContainer(facts.Kind)):
			for _, c := range judges {
				awake = append(awake, c.rule)
			}
		case len(judges) > 0:
			docs = append(docs, heldDocument{doc, facts})
		}
		if !plain {
			hidden = hidden || q.accounts.Wants(doc)
			if doc.Kind() == prefilter.KindRelease {
				odd = append(odd, doc)
			}
			continue
		}
		if prefilter.Indexes(facts.Kind) {
			shown = append(shown, heldDocument{doc, facts})
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held, q.shown = append(q.held, docs...), append(q.shown, shown...)
	q.releases.sources, q.releases.odd = append(q.releases.sources, sources...), append(q.releases.odd, odd...)
	q.hidden, q.off = q.hidden || hidden, q.off || off
	for _, rule := range awake {
		q.awake[rule] = true
	}
}

// isSource tells of a kind that Flux takes charts from it.
func isSource(kind string) bool {
	switch kind {
	case "HelmRepository", "OCIRepository", "GitRepository", "Bucket", "HelmChart":
		return true
	}
	return false
}

// judging are the rules with conditions that judge a document.
func (q *quiet) judging(doc *manifest.Document) (judges []conditional) {
	for _, c := range q.conditional {
		if c.judged.Wants(doc) {
			judges = append(judges, c)
		}
	}
	return judges
}

// settle decides about the documents that were held back, once everything was seen.
func (q *quiet) settle(library *library, links map[string]string) {
	reach, known := reachOf(library, len(links) > 0)
	q.off = q.off || !known
	q.alone = !q.off && len(reach) == 0
	q.makeIndex(reach)
	for _, h := range q.held {
		silent := !q.off && !reach.has(h.doc.File.Path)
		var rules []string
		for _, c := range q.judging(h.doc) {
			if !silent || q.index.MayApply(c.when, h.doc, h.facts) {
				rules = append(rules, c.rule)
				q.awake[c.rule] = true
			}
		}
		if silent {
			q.known[h.doc] = rules
		}
	}
}

// spares tells whether a document need not be judged at all.
func (q *quiet) spares(doc *manifest.Document) bool {
	rules, known := q.known[doc]
	return known && len(rules) == 0 && !q.others.Wants(doc)
}

// is tells whether a rule finds nothing in a document.
func (q *quiet) is(rule string, doc *manifest.Document) bool {
	rules, known := q.known[doc]
	return known && !slices.Contains(rules, rule)
}

// idle are the releases that need not be parsed, see [releases.spare].
func (q *quiet) idle(brought bool) map[*manifest.Document]bool {
	if !q.alone {
		return nil
	}
	return q.releases.spare(brought)
}

func (q *quiet) makeIndex(reach reach) {
	if q.hidden {
		q.index.AddAccountIn("")
	}
	for _, s := range q.shown {
		if s.facts.Kind == prefilter.KindRelease {
			q.releases.all = append(q.releases.all, s)
		}
		if s.facts.Kind == accountKind && s.facts.Namespace != "" {
			q.index.AddAccountIn(s.facts.Namespace)
		}
		if !reach.has(s.doc.File.Path) {
			q.index.Add(s.facts)
		}
	}
}

// reach is which files are applied in another form than they have, or are no manifests: whatever kustomizations name, and
// charts.
type reach map[string]bool

// has tells whether a file, or a folder it lies in, is reached.
func (r reach) has(file string) bool {
	if len(r) == 0 {
		return false
	}
	for at := file; ; at = path.Dir(at) {
		if r[at] {
			return true
		}
		if at == "." || at == "/" {
			return false
		}
	}
}

// reachOf gives the reach of all kustomizations and charts. It is not known where one of them cannot be read, or leads through
// a symbolic link or out of the repository.
func reachOf(library *library, linked bool) (reach, bool) {
	r, known := reach{}, true
	tree := newTreeOf(library.names)
	for _, name := range library.names {
		if path.Base(name) == "Chart.yaml" {
			r[path.Dir(name)] = true
		}
	}
	for _, f := range library.noText {
		known = known && !objects.IsKustomizationFile(f.Path)
	}
	for _, skip := range library.skipped {
		known = known && !(objects.IsKustomizationFile(skip.Path) && isUnread(skip))
	}
	for name, f := range library.files {
		if objects.IsKustomizationFile(name) {
			known = known && !linked && r.add(f, tree)
		}
	}
	return r, known
}

func isUnread(skip repo.Skip) bool { return skip.Unreadable || skip.TooLarge }

// add adds what the kustomizations of a file name.
func (r reach) add(f *manifest.File, tree map[string]bool) (known bool) {
	for _, doc := range f.Docs {
		if doc.Parse() != nil {
			return false
		}
		k, err := objects.ReadKustomization(doc)
		if err != nil {
			return false
		}
		for _, entry := range k.Resources {
			if !tree[entry.Target] && !entry.Remote() {
				return false
			}
			r[entry.Target] = true
		}
		for _, claim := range k.Claims {
			r[claim.File] = true
		}
	}
	return true
}
