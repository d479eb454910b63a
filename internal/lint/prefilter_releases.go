package lint

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/prefilter"
)

// releases are the HelmReleases of Flux. A repository can hold thousands, nearly all of charts from other places. Such a release
// may install accounts and roles in a namespace, and nothing else is known about it, so one release can stand for many.
type releases struct {
	all []documentFacts
	// irregular are releases whose bytes do not show their facts; sources are the objects from which Flux takes charts.
	irregular, sources []*manifest.Document
}

// skippable returns the releases that need not be parsed. If a rule asks what releases install, one release is parsed for each
// namespace and folder.
func (r *releases) skippable(asked bool) map[*manifest.Document]bool {
	named, certain := r.named()
	skippable := map[*manifest.Document]bool{}
	if !certain {
		return skippable
	}
	slices.SortFunc(r.all, func(a, b documentFacts) int {
		return cmp.Or(strings.Compare(a.doc.File.Path, b.doc.File.Path), cmp.Compare(a.doc.Index, b.doc.Index))
	})
	parsed := map[[2]string]bool{}
	for _, h := range r.all {
		if !h.facts.SelfContained(h.doc) || named[h.facts.Name] || named[h.facts.Release.SourceName] || concernsRules(h.facts) {
			continue
		}
		place := [2]string{h.facts.TargetNamespace(), path.Dir(h.doc.File.Path)}
		if skippable[h.doc] = !asked || parsed[place]; asked {
			parsed[place] = true
		}
	}
	return skippable
}

// concernsRules reports whether the names of a release suggest that rules judge what it installs.
func concernsRules(f *prefilter.Facts) bool {
	r := f.Release
	return applications.MayConcernRules(strings.Join([]string{f.Name, f.Namespace, r.Chart, r.SourceNamespace, r.SourceName}, "\n"))
}

// named returns the names of releases on which others depend, and of sources whose address suggests that rules judge their charts.
// They are not certain if a document does not show its names.
func (r *releases) named() (names map[string]bool, certain bool) {
	names = map[string]bool{}
	for _, doc := range r.sources {
		if text := doc.Bytes(); applications.MayConcernRules(string(text)) || slices.Contains(text, '\\') {
			r.irregular = append(r.irregular, doc)
		}
	}
	for _, h := range r.all {
		if strings.Contains(string(h.doc.Bytes()), "dependsOn") {
			r.irregular = append(r.irregular, h.doc)
		}
	}
	for _, doc := range r.irregular {
		found, certain := visibleNames(doc.Bytes())
		if !certain {
			return nil, false
		}
		for _, name := range found {
			names[name] = true
		}
	}
	return names, true
}
