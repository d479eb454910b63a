package reading

import (
	"bytes"
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/wordfilter"
	"github.com/salint/salint/internal/kube/prefilter"
)

// releases are the HelmReleases of Flux. A repository can hold thousands, nearly all of charts from other places. Such a release
// may install accounts and roles in a namespace, and nothing else is known about it, so one release can stand for many.
type releases struct {
	all []documentFacts
	// irregular are releases whose bytes do not show their facts; sources are the objects from which Flux takes charts.
	irregular, sources []*manifest.Document
}

// anonymous returns the releases of which nothing else matters than where they may install something, sorted by place.
func (r *releases) anonymous() (anonymous []documentFacts) {
	named, certain := r.named()
	if !certain {
		return nil
	}
	for _, h := range r.all {
		if h.facts.SelfContained && !named[h.facts.Name] && !named[h.facts.Release.SourceName] && !concernsRules(h.facts) {
			anonymous = append(anonymous, h)
		}
	}
	slices.SortFunc(anonymous, func(a, b documentFacts) int {
		return cmp.Or(strings.Compare(a.doc.File.Path, b.doc.File.Path), cmp.Compare(a.doc.Index, b.doc.Index))
	})
	return anonymous
}

// base64Tag is the tag of a text in base64, which shows no words.
var base64Tag = []byte("!!binary")

// installPlaces are the places about which rules can ask whether a release may install something there.
type installPlaces struct {
	// namespaces are those of the anonymous releases, true for a namespace that a parsed document names.
	namespaces map[string]bool
	// folders are those of parsed bindings: a chart below a binding may install its ClusterRole. True for folders without an answer.
	folders map[string]bool
}

// askedPlaces returns the places about which rules can ask because of the documents that are parsed. Rules take a namespace from a
// document, so its bytes show it, or it is one that is not written: unknown, the default, or that of the control plane.
func askedPlaces(anonymous []documentFacts, parsed iter.Seq[*manifest.Document]) *installPlaces {
	p := &installPlaces{map[string]bool{}, map[string]bool{}}
	for _, h := range anonymous {
		p.namespaces[h.facts.TargetNamespace()] = false
	}
	for _, unwritten := range []string{"", "default", "kube-system"} {
		p.mark(unwritten)
	}
	for doc := range parsed {
		p.markWords(doc.Bytes())
		if text := wordfilter.WithoutEscapes(doc.Bytes()); bytes.Contains(text, []byte("Binding")) || bytes.Contains(text, base64Tag) {
			p.folders[path.Dir(doc.File.Path)] = true
		}
	}
	return p
}

// markWords marks the namespaces that a text names. A text with an escape, or in base64, may name any.
func (p *installPlaces) markWords(text []byte) {
	if bytes.IndexByte(text, '\\') >= 0 || bytes.Contains(text, base64Tag) {
		for namespace := range p.namespaces {
			p.namespaces[namespace] = true
		}
	}
	for start := 0; start < len(text); start++ {
		end := start
		for end < len(text) && isLabelByte(text[end]) {
			end++
		}
		if end > start {
			p.mark(string(text[start:end]))
			start = end
		}
	}
}

func (p *installPlaces) mark(namespace string) {
	if _, known := p.namespaces[namespace]; known {
		p.namespaces[namespace] = true
	}
}

// answers reports whether a release is the first one that may install something at a place about which rules can ask.
func (p *installPlaces) answers(release documentFacts) (first bool) {
	if namespace := release.facts.TargetNamespace(); p.namespaces[namespace] {
		p.namespaces[namespace], first = false, true
	}
	for folder := path.Dir(release.doc.File.Path); ; folder = path.Dir(folder) {
		if p.folders[folder] {
			p.folders[folder], first = false, true
		}
		if folder == "." || folder == "/" {
			return first
		}
	}
}

// isLabelByte reports whether the name of a namespace can have this character.
func isLabelByte(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' }

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
		if h.facts.DependsOn {
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
