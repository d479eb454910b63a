package helm

import (
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/base/lazyregexp"
)

// accountFieldSyntax finds the fields of a template that name an account.
var accountFieldSyntax = lazyregexp.New(`(?m)(?:^|[\s{,])["']?serviceAccount(?:Name)?["']?:[ \t]*([^\s#,}]*)`)

// CheckUnrenderedUses refuses to remove an account if its chart has a field that no known set of values renders, and that may name
// the account. Except is a file whose fields do not count; "" is none.
func CheckUnrenderedUses(c *engine.Context, forms []applied.Form, except string) error {
	names, charted := map[string]bool{}, map[string]bool{}
	var rendered []*rendering
	for _, form := range forms {
		names[form.Object.Name] = true
		if made := charts.Of(form.Object); made != nil {
			charted[made.Rendered.Set.Chart] = true
		}
	}
	for _, unit := range c.Repo.Units {
		all, err := renderings(c, unit)
		if err != nil {
			continue // the units that render the document are checked before
		}
		for _, r := range all {
			if charted[r.of.Set.Chart] {
				rendered = append(rendered, r)
			}
		}
	}
	for _, s := range mergedSources(rendered) {
		if s.file == nil {
			if accountFieldSyntax().MatchString(s.text) {
				return engine.Refuse("%s cannot be read as a template, so the accounts that it names are unknown: %s", s.key, removeDocumentByHand)
			}
			continue
		}
		for _, found := range accountFieldSyntax().FindAllStringSubmatchIndex(s.text, -1) {
			at := found[0] + strings.Index(s.text[found[0]:found[1]], "serviceAccount")
			value := strings.Trim(s.text[found[2]:found[3]], `"'`)
			isOther := value != "" && !strings.ContainsAny(value, "{&*|>") && !names[value]
			if isOther || s.isComment(at) || s.isRendered(at) || except != "" && strings.HasPrefix(s.position(at), except+":") {
				continue
			}
			return engine.Refuse("%s is rendered with no known set of values, and may name the account: %s%s",
				s.position(at), renderOrByHand, removeDocumentByHand)
		}
	}
	return nil
}
