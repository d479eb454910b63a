package silence

import (
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// misspelledDirective matches comments that are close to a directive, such as `salint: ignore`, `salint-ignore`, and `Salint:ignore`.
// What follows is the list of rules and the reason.
var misspelledDirective = lazyregexp.New(`^[sS]alint[ \t]*[:_-]?[ \t]*[iI]gnore([-_ ]?file)?(?:[ \t]*[:=])?(?:[ \t]+(.*)|[ \t]*)$`)

// isMisspelled reports whether the text of a comment, which is no directive, is meant as one: it names a rule, or nothing. Other text
// is a sentence about salint.
func isMisspelled(text string) bool {
	m := misspelledDirective().FindStringSubmatch(text)
	if m == nil {
		return false
	}
	rules, _ := splitRules(strings.Fields(m[2]))
	return m[2] == "" || len(rules) > 0
}

// misspelled sets the problem of a comment that is close to a directive.
func (d *Directive) misspelled(text string) {
	m := misspelledDirective().FindStringSubmatch(text)
	name := "ignore"
	if m[1] != "" {
		name = "ignore-file"
	}
	rules, _ := splitRules(strings.Fields(m[2]))
	if len(rules) == 0 {
		d.noRule(name)
		return
	}
	const most = 100
	list := strings.Join(rules, ",")
	d.Problem = "it is misspelled: write " + strconv.Quote("# salint:"+name+" "+list[:min(len(list), most)]+" reason")
}
