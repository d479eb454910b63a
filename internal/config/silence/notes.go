package silence

import (
	"fmt"

	"github.com/salint/salint/internal/base/nearest"
)

// The messages of notes.

func problemNote(d *Directive) string { return "this comment has no effect: " + d.Problem }

func noReason(pattern string) string {
	return fmt.Sprintf("%s is ignored without a reason: add the reason after the rule", quote(pattern))
}

func expired(pattern, date string) string {
	return fmt.Sprintf("this ignore of %s expired on %s: fix the finding, remove the ignore, or set a new date", quote(pattern), date)
}

func unused(pattern string) string {
	return fmt.Sprintf("this ignore of %s has no effect: remove it", quote(pattern))
}

func unknownRule(pattern string, known []string) string {
	const maxPattern = 100
	near := nearest.Name(pattern[:min(len(pattern), maxPattern)], known)
	if near == "" {
		return fmt.Sprintf("unknown rule %s in an ignore: see `salint rules`", quote(pattern))
	}
	return fmt.Sprintf("unknown rule %s in an ignore: did you mean %s?", quote(pattern), near)
}

// The problems of directives.

func (d *Directive) unknownName(name string) {
	d.Problem = "unknown directive " + quote(name) + ": use ignore or ignore-file"
}

func (d *Directive) noRule(name string) {
	d.Problem = "no rule is named: write `# salint:" + name + " RULE reason`"
}

func (d *Directive) invalidDate(date string) {
	d.Problem = "until=" + quote(date) + " is not a date: use a date such as until=2027-01-31"
}
