package helm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render/templates/block"
)

// deprecatedFieldSyntax finds the fields that fixes of accounts remove or rename.
var deprecatedFieldSyntax = lazyregexp.New(`(?m)(?:^|[\s{,])["']?serviceAccount["']?:`)

// noteUnrenderedBranches notes where the document around an edited place of a template also writes an account, in a branch that no known
// values render for what the repository applies: neither the rule nor the fix has seen it.
func noteUnrenderedBranches(p *engine.Plan, edited []block.Origin, renderings []*rendering) {
	renderings = slices.DeleteFunc(slices.Clone(renderings), func(r *rendering) bool { return r.replaced })
	if len(renderings) == 0 {
		return
	}
	for _, s := range mergedSources(renderings) {
		for _, place := range edited {
			if s.file == nil || s.key != sourceName(place.Source.File, place.Source.Inside) {
				continue
			}
			for _, at := range s.unrenderedAccounts(place.Span, renderings[0].sources()) {
				if place.Span.Start <= at && at < place.Span.End {
					continue // the fix removes it
				}
				p.Notes = words.AddOnce(p.Notes, fmt.Sprintf("%s writes an account in a branch of the template that is not rendered for anything that the repository applies, and was not checked: "+
					"list values that render it in `helm` of .salint.yaml, or change it by hand", s.position(at)))
			}
		}
	}
}

// unrenderedAccounts returns the places in the document around a span that write an account, themselves or by a helper, and are not
// rendered, in order.
func (s *chartSource) unrenderedAccounts(around manifest.Span, all *chartSources) []int {
	at := around.Start
	for at < around.End && s.file.TokenAt(at) < 0 {
		at++ // actions trim the space around them
	}
	if at == around.End {
		return nil
	}
	region := s.region(at)
	var found []int
	for _, at := range deprecatedFieldSyntax().FindAllStringIndex(s.text[region.Start:region.End], -1) {
		key := region.Start + at[0] + strings.Index(s.text[region.Start+at[0]:], "serviceAccount")
		if !s.isComment(key) && !s.isRendered(key) {
			found = append(found, key)
		}
	}
	for at, name := range s.includes {
		inside := region.Start <= at && at < region.End
		if inside && !s.isRendered(at) && deprecatedFieldSyntax().MatchString(all.withHelpers(all.defined[name])) {
			found = append(found, at)
		}
	}
	slices.Sort(found)
	return found
}
