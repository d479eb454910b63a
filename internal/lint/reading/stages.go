package reading

import (
	"context"
	"iter"
	"slices"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/wordfilter"
	"github.com/salint/salint/internal/kube/objects"
)

// decide makes the decisions about the documents of the files that were kept.
func (d *decider) decide(ctx context.Context, files map[string]*manifest.File) error {
	releases := d.prefilter.anonymousReleases()
	starts, err := d.byBytes(ctx, releases)
	if err != nil {
		return err
	}
	d.byNames(starts)
	if err := d.bySettings(ctx, files); err != nil {
		return err
	}
	d.byPlaces(releases)
	d.prefilter.skip(d.decisions.parses)
	return nil
}

// byBytes decides about the documents of all kept files by what their bytes show. It returns those from which names lead to others.
func (d *decider) byBytes(ctx context.Context, releases []documentFacts) (starts []*manifest.Document, err error) {
	anonymous := make(map[*manifest.Document]bool, len(releases))
	for _, h := range releases {
		anonymous[h.doc] = true
	}
	decided := make([]decidedFile, len(d.kept))
	err = parallel.Do(ctx, len(d.kept), func(i int) { decided[i] = d.byBytesOf(d.kept[i], anonymous) })
	if err != nil {
		return nil, err
	}
	for _, file := range decided {
		starts = append(starts, d.take(file)...)
	}
	d.kept = nil
	return starts, nil
}

// decidedFile is a file with what decides about each document.
type decidedFile struct {
	*manifest.File
	reasons []Reason
	// unconnected are the documents to which names may lead.
	unconnected []namedDocument
}

// byBytesOf decides about the documents of a file. Several goroutines call it.
func (d *decider) byBytesOf(file keptFile, anonymous map[*manifest.Document]bool) decidedFile {
	decided := decidedFile{File: file.File, reasons: make([]Reason, len(file.Docs))}
	for n, doc := range file.Docs {
		if decided.reasons[n] = d.reasonFor(&file.searches[n], anonymous[doc]); decided.reasons[n] == NoNameLeads {
			decided.unconnected = append(decided.unconnected, readNames(doc))
		}
	}
	return decided
}

// reasonFor decides about a document by its bytes and by what the prefilter has found out, such as that it is an anonymous release.
func (d *decider) reasonFor(search *wordfilter.Search, anonymous bool) Reason {
	doc := search.Document
	skippable := d.prefilter.skippable(search)
	switch {
	case d.judgedKinds.Selects(search) && !skippable:
		return RuleJudges
	case anonymous:
		return AnonymousRelease
	case d.contextKinds.Selects(search):
		return RulesAskForKind
	case namesAccountByVariable(doc):
		return AccountIsFilled
	case d.connectedKinds.Selects(search), skippable && isBinding(doc):
		return NoNameLeads
	case skippable:
		return NothingToFind
	}
	return NothingConcerns
}

// take takes note of what is decided about a file, and returns the documents from which names lead to others.
func (d *decider) take(file decidedFile) (starts []*manifest.Document) {
	for n, doc := range file.Docs {
		d.decisions.decide(doc, file.reasons[n])
		if file.reasons[n] == RuleJudges {
			starts = append(starts, doc)
		}
	}
	for _, doc := range file.unconnected {
		d.closure.add(doc)
	}
	return append(starts, rolesBeside(file.File, len(starts) > 0)...)
}

// byNames follows the names in the starting documents, and in the bindings of the configured bundles: the roles to which these refer
// matter as well.
func (d *decider) byNames(starts []*manifest.Document) {
	for _, doc := range d.closure.reach(append(starts, d.options.Bundles.Bindings()...), d.options.GrantedRole) {
		d.decisions.decide(doc, NameLeads)
	}
}

// bySettings finds the documents from which applications take values or variables.
func (d *decider) bySettings(ctx context.Context, files map[string]*manifest.File) error {
	found, err := loader.Settings(ctx, files, d.decisions.parses)
	for _, doc := range found {
		d.decisions.decide(doc, SettingsApplied)
	}
	return err
}

// byPlaces decides which of the anonymous releases are parsed.
func (d *decider) byPlaces(anonymous []documentFacts) {
	if !d.asksForReleases || len(anonymous) == 0 {
		return
	}
	places := askedPlaces(anonymous, d.parsedDocuments())
	for _, release := range anonymous {
		if places.answers(release) {
			d.decisions.decide(release.doc, ReleaseOfPlace)
		}
	}
}

// parsedDocuments returns the documents that are parsed, in no order.
func (d *decider) parsedDocuments() iter.Seq[*manifest.Document] {
	return func(yield func(*manifest.Document) bool) {
		for doc, decision := range d.decisions {
			if decision.Reading.Parsed() && !yield(doc) {
				return
			}
		}
	}
}

// needed returns the files of which a document is parsed, and the kustomizations.
func (d *decider) needed(files map[string]*manifest.File) map[string]*manifest.File {
	needed := map[string]*manifest.File{} // a map from which entries are deleted keeps its size
	for path, f := range files {
		if objects.IsKustomizationFile(path) || slices.ContainsFunc(f.Docs, d.decisions.parses) {
			needed[path] = f
		}
	}
	return needed
}

// forget keeps only what is known about the documents of some files. What was read from all others, and with it their contents, would
// stay in memory for the whole run.
func (d *decider) forget(files map[string]*manifest.File) {
	d.decisions = d.decisions.in(files)
	d.prefilter.forget(files)
}

// wants reports whether a document in the output of a build is selected.
func (d *decider) wants(doc *manifest.Document) bool { return d.selects(wordfilter.NewSearch(doc)) }

func (d *decider) selects(search *wordfilter.Search) bool {
	return d.judgedKinds.Selects(search) || d.contextKinds.Selects(search) || namesAccountByVariable(search.Document)
}

// wantsOfCharts reports whether a document in the rendering of a chart is selected. The documents to which names lead are in the
// same chart.
func (d *decider) wantsOfCharts(doc *manifest.Document) bool {
	search := wordfilter.NewSearch(doc)
	return d.selects(search) || d.connectedKinds.Selects(search) || loader.IsConfigMap(doc)
}
