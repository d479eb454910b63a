package helm

import (
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render/templates/block"
)

// noteUnrenderedBranches notes where the document around an edited place of a template also writes an account, in a branch that no known
// values render: neither the rule nor the fix has seen it.
func noteUnrenderedBranches(p *engine.Plan, edited []block.Origin, renderings []*rendering) {
	for _, s := range mergedSources(renderings) {
		for _, place := range edited {
			if s.file == nil || s.key != sourceName(place.Source.File, place.Source.Inside) {
				continue
			}
			if at := s.unrenderedAccount(place.Span, renderings[0].sources()); at >= 0 {
				p.AddNote("%s is in a branch of the template that no known set of values renders, and was not checked: "+
					"list values that render it in `helm` of .salint.yaml, or change it by hand", s.position(at))
				break
			}
		}
	}
}

// unrenderedAccount returns the first place in the document around a span that writes an account, itself or by a helper, and is not
// rendered; -1 if there is none.
func (s *chartSource) unrenderedAccount(around manifest.Span, all *chartSources) int {
	at := around.Start
	for at < around.End && s.file.TokenAt(at) < 0 {
		at++ // actions trim the space around them
	}
	if at == around.End {
		return -1
	}
	region := s.region(at)
	var found []int
	for _, at := range accountFieldSyntax().FindAllStringIndex(s.text[region.Start:region.End], -1) {
		key := region.Start + at[0] + strings.Index(s.text[region.Start+at[0]:], "serviceAccount")
		if !s.isComment(key) && !s.isRendered(key) {
			found = append(found, key)
		}
	}
	for at, name := range s.includes {
		inside := region.Start <= at && at < region.End
		if inside && !s.isRendered(at) && accountFieldSyntax().MatchString(all.withHelpers(all.defined[name])) {
			found = append(found, at)
		}
	}
	if len(found) == 0 {
		return -1
	}
	return slices.Min(found)
}
