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

// releases are those of Flux, of which a repository may hold thousands: nearly all of charts that lie elsewhere. Of these
// nothing is known but that they may bring accounts and roles to a namespace, and for that one of them is as good as another.
type releases struct {
	all []heldDocument
	// odd are those that cannot be told without parsing, and sources what charts are taken from.
	odd, sources []*manifest.Document
}

// spare gives the releases that need not be parsed. With brought, what they bring is asked for: then one is left for each
// namespace and folder.
func (r *releases) spare(brought bool) map[*manifest.Document]bool {
	named, certain := r.named()
	spared := map[*manifest.Document]bool{}
	if !certain {
		return spared
	}
	slices.SortFunc(r.all, func(a, b heldDocument) int {
		return cmp.Or(strings.Compare(a.doc.File.Path, b.doc.File.Path), cmp.Compare(a.doc.Index, b.doc.Index))
	})
	left := map[[2]string]bool{}
	for _, h := range r.all {
		if !h.facts.FromElsewhere(h.doc) || named[h.facts.Name] || named[h.facts.Release.SourceName] || concernsRules(h.facts) {
			continue
		}
		place := [2]string{h.facts.GoesTo(), path.Dir(h.doc.File.Path)}
		if spared[h.doc] = !brought || left[place]; brought {
			left[place] = true
		}
	}
	return spared
}

// concernsRules tells of a release by its names that what it installs may be what rules judge.
func concernsRules(f *prefilter.Facts) bool {
	r := f.Release
	return applications.MayConcernRules(strings.Join([]string{f.Name, f.Namespace, r.Chart, r.SourceNamespace, r.SourceName}, "\n"))
}

// named are the names of releases that others wait for, and of sources whose address may be about what rules judge. They are
// not certain where a document does not show its names.
func (r *releases) named() (names map[string]bool, certain bool) {
	names = map[string]bool{}
	for _, doc := range r.sources {
		if text := doc.Bytes(); applications.MayConcernRules(string(text)) || slices.Contains(text, '\\') {
			r.odd = append(r.odd, doc)
		}
	}
	for _, h := range r.all {
		if strings.Contains(string(h.doc.Bytes()), "dependsOn") {
			r.odd = append(r.odd, h.doc)
		}
	}
	for _, doc := range r.odd {
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
