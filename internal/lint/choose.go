package lint

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// choose decides which documents are parsed, and drops the files without such a document.
func (r *reader) choose(ctx context.Context) error {
	readings := r.contents.readings
	releases := r.prefilter.anonymousReleases()
	starts, err := r.chooseByBytes(ctx, releases)
	if err != nil {
		return err
	}
	for _, doc := range r.closure.reach(append(starts, r.bindingsOfBundles()...), r.session.Fixes.Grant.Role) {
		readings[doc] = loader.Connected
	}
	settings, err := loader.Settings(ctx, r.contents.Files, r.parses)
	if err != nil {
		return err
	}
	for _, doc := range settings {
		readings[doc] = loader.AppliedSettings
	}
	r.chooseReleases(releases)
	r.prefilter.skip(r.parses)
	r.contents.Files = maps.Collect(r.neededFiles()) // a map from which entries are deleted keeps its size
	r.prefilter.forget(r.contents.Files)
	r.contents.texts.shrink()
	return nil
}

// chooseByBytes decides about the documents of all kept files by what their bytes show. It returns those from which names lead to others.
func (r *reader) chooseByBytes(ctx context.Context, releases []documentFacts) (starts []*manifest.Document, err error) {
	decide := r.readingsByBytes(releases)
	decided := make([]decidedFile, len(r.kept))
	if err := parallel.Do(ctx, len(r.kept), func(i int) { decided[i] = decide(r.kept[i]) }); err != nil {
		return nil, err
	}
	for _, file := range decided {
		starts = append(starts, r.takeDecision(file)...)
	}
	r.kept = nil
	return starts, nil
}

// takeDecision takes note of what is decided about a file, and returns the documents from which names lead to others.
func (r *reader) takeDecision(file decidedFile) (starts []*manifest.Document) {
	for n, doc := range file.Docs {
		switch reading := file.readings[n]; reading {
		case loader.Requested:
			starts = append(starts, doc)
			r.contents.readings[doc] = reading
		case loader.Context:
			r.contents.readings[doc] = reading
		}
	}
	for _, doc := range file.unconnected {
		r.closure.add(doc)
	}
	return append(starts, rolesBeside(file.File, len(starts) > 0)...)
}

// neededFiles returns the files of which a document is parsed, and the kustomizations.
func (r *reader) neededFiles() iter.Seq2[string, *manifest.File] {
	return func(yield func(string, *manifest.File) bool) {
		for path, f := range r.contents.Files {
			if (objects.IsKustomizationFile(path) || slices.ContainsFunc(f.Docs, r.parses)) && !yield(path, f) {
				return
			}
		}
	}
}

// keptFile is a file of which documents may be parsed.
type keptFile struct {
	*manifest.File
	// searches has an element for each document.
	searches []manifest.Search
}

// decidedFile is a file with a decision about each document.
type decidedFile struct {
	*manifest.File
	readings []loader.Reading
	// unconnected are the documents to which names may lead.
	unconnected []namedDocument
}

// readingsByBytes returns the function that decides about the documents of a file by what their bytes show.
func (r *reader) readingsByBytes(releases []documentFacts) func(keptFile) decidedFile {
	anonymous := make(map[*manifest.Document]bool, len(releases))
	for _, h := range releases {
		anonymous[h.doc] = true
	}
	return func(file keptFile) decidedFile {
		decided := decidedFile{File: file.File, readings: make([]loader.Reading, len(file.Docs))}
		for n, doc := range file.Docs {
			if decided.readings[n] = r.readingOf(&file.searches[n], anonymous[doc]); decided.readings[n] == loader.Unconnected {
				decided.unconnected = append(decided.unconnected, readNames(doc))
			}
		}
		return decided
	}
}

// chooseReleases decides which of the anonymous releases are parsed: one for each place about which a rule can ask.
func (r *reader) chooseReleases(anonymous []documentFacts) {
	if !r.asksForReleases || len(anonymous) == 0 {
		return
	}
	places := askedPlaces(anonymous, r.parsedDocuments())
	for _, release := range anonymous {
		if places.answers(release) && !r.parses(release.doc) {
			r.contents.readings[release.doc] = loader.Context
		}
	}
}

// parsedDocuments returns the documents that are parsed, in no order.
func (r *reader) parsedDocuments() iter.Seq[*manifest.Document] {
	return func(yield func(*manifest.Document) bool) {
		for doc, reading := range r.contents.readings {
			if reading.Parsed() && !yield(doc) {
				return
			}
		}
	}
}

// readingOf decides about a document by its bytes and by what the prefilter has found out, such as that it is an anonymous release.
func (r *reader) readingOf(search *manifest.Search, anonymous bool) loader.Reading {
	doc := search.Document
	skippable := r.prefilter.skippable(search)
	switch {
	case r.judgedKinds.Selects(search) && !skippable:
		return loader.Requested
	case anonymous:
		return loader.Skippable
	case r.contextKinds.Selects(search), namesAccountByVariable(doc):
		return loader.Context
	case r.connectedKinds.Selects(search), skippable && isBinding(doc):
		return loader.Unconnected
	case skippable:
		return loader.Skippable
	}
	return loader.NotNeeded
}
