package helm

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render/templates/block"
	"github.com/salint/salint/internal/render/templates/source"
)

// chartSources are all templates of a chart and of its dependencies, whether or not a set of values renders them.
type chartSources struct {
	files []*chartSource
	// defined are the texts of the helpers, by name.
	defined map[string]string
}

// chartSource is one of these templates. The file is nil if it could not be read as a template.
type chartSource struct {
	key, text string
	file      *source.File
	// includes are the names of the helpers that actions include, by the first byte of the action; "" for a computed name.
	includes map[int]string
	// rendered are the spans that wrote a part of the rendering, sorted.
	rendered []manifest.Span
}

func sourceName(file, inside string) string { return path.Join(file, inside) }

// sources returns the templates of a rendering, which are read once.
func (r *rendering) sources() *chartSources {
	if r.sourcesRead != nil {
		return r.sourcesRead
	}
	r.sourcesRead = &chartSources{defined: map[string]string{}}
	known := map[string]*chartSource{}
	add := func(key, text string) {
		if known[key] == nil && path.Base(key) != "NOTES.txt" {
			known[key] = r.sourcesRead.add(key, text)
		}
	}
	for _, t := range r.templates {
		for _, s := range t.Sources {
			add(sourceName(s.File, s.Inside), s.Text)
		}
	}
	for file, text := range r.of.Sources() {
		add(file, text)
	}
	for _, t := range r.templates {
		for _, p := range t.Pieces {
			s := t.Sources[p.Source]
			if from := known[sourceName(s.File, s.Inside)]; from != nil && p.Start < p.End {
				from.rendered = append(from.rendered, manifest.Span{Start: p.From, End: p.To})
			}
		}
	}
	for _, s := range r.sourcesRead.files {
		s.rendered = merged(s.rendered)
	}
	slices.SortFunc(r.sourcesRead.files, func(a, b *chartSource) int { return strings.Compare(a.key, b.key) })
	return r.sourcesRead
}

// mergedSources returns the templates of renderings, each with what any of them has rendered of it.
func mergedSources(renderings []*rendering) []*chartSource {
	var all []*chartSource
	done := map[string]*chartSource{}
	for _, r := range renderings {
		for _, s := range r.sources().files {
			known := done[s.key]
			if known == nil {
				known = &chartSource{key: s.key, text: s.text, file: s.file, includes: s.includes}
				done[s.key] = known
				all = append(all, known)
			}
			known.rendered = merged(slices.Concat(known.rendered, s.rendered))
		}
	}
	return all
}

// merged sorts spans and merges those that touch.
func merged(spans []manifest.Span) []manifest.Span {
	slices.SortFunc(spans, func(a, b manifest.Span) int { return a.Start - b.Start })
	var all []manifest.Span
	for _, s := range spans {
		if last := len(all) - 1; last >= 0 && s.Start <= all[last].End {
			all[last].End = max(all[last].End, s.End)
			continue
		}
		all = append(all, s)
	}
	return all
}

// isRendered reports whether a byte wrote a part of the rendering.
func (s *chartSource) isRendered(at int) bool {
	_, found := slices.BinarySearchFunc(s.rendered, at, func(span manifest.Span, at int) int {
		switch {
		case span.End <= at:
			return -1
		case span.Start > at:
			return 1
		}
		return 0
	})
	return found
}

var (
	includeCall   = lazyregexp.New(`\b(?:include|template|block)\s+(?:"([^"]+)"|` + "`([^`]+)`" + `|([^\s"` + "`" + `]))`)
	ownTemplate   = lazyregexp.New(`\.Template\.BasePath`)
	bindingSyntax = lazyregexp.New(`\broleRef\b|RoleBinding\b`)
)

func (c *chartSources) add(key, text string) *chartSource {
	s := &chartSource{key: key, text: text, includes: map[int]string{}}
	c.files = append(c.files, s)
	f, err := source.Parse(key, text)
	if err != nil {
		return s
	}
	s.file = f
	for i, token := range f.Tokens {
		if name := f.Definition(i); name != "" && token.Kind != source.Comment {
			c.defined[name] += f.Slice(token.Span)
		}
		if token.Kind != source.Action {
			continue
		}
		action := f.Slice(token.Span)
		for _, call := range includeCall().FindAllStringSubmatch(action, -1) {
			if !ownTemplate().MatchString(action) { // a whole file, for its checksum
				s.includes[token.Span.Start] = call[1] + call[2]
			}
		}
	}
	return s
}

// withHelpers returns a text with the texts of the helpers that it includes, directly or by other helpers.
func (c *chartSources) withHelpers(text string) string { return c.withHelpersIn(text, nil) }

// withHelpersIn does the same with other texts for some helpers.
func (c *chartSources) withHelpersIn(text string, other map[string]string) string {
	seen, all := map[string]bool{}, text
	for left := []string{text}; len(left) > 0; {
		next := left[len(left)-1]
		left = left[:len(left)-1]
		for _, call := range includeCall().FindAllStringSubmatch(next, -1) {
			name := call[1] + call[2]
			helper, ok := c.defined[name]
			if narrowed, is := other[name]; is {
				helper = narrowed
			}
			if ok && !seen[name] {
				seen[name], all = true, all+"\n"+helper
				left = append(left, helper)
			}
		}
	}
	return all
}

// dependencies returns all texts that the result of some actions depends on: the actions, the declarations of their
// variables, and the helpers that they include.
func (c *chartSources) dependencies(scope source.Scope, texts ...string) string {
	seen, all := map[string]bool{}, strings.Join(texts, "")
	for left := source.Variables(all); len(left) > 0; {
		name := left[0]
		if left = left[1:]; seen[name] {
			continue
		}
		seen[name] = true
		declared := scope.Declares(name)
		all += declared
		left = append(left, source.Variables(declared)...)
	}
	return c.withHelpers(all)
}

// scopesOf returns the scopes around a place, the outermost first: those of the calls that lead to it, and its own.
func scopesOf(o block.Origin) []source.Scope {
	scopes := []source.Scope{o.Scope}
	for _, call := range o.Calls {
		scopes = append(scopes, call.Scope)
	}
	slices.Reverse(scopes)
	return scopes
}
