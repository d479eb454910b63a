package silence

import (
	"fmt"

	"github.com/salint/salint/internal/base/nearest"
)

// noteText is the message of a note, and the text in its fingerprint. The second is the message of the first releases and must
// not change, because baselines contain the fingerprints.
type noteText struct{ message, fingerprint string }

func problemNote(d *Directive) noteText {
	return noteText{"this comment has no effect: " + d.Problem, "this comment silences nothing: " + d.fingerprint}
}

func noReason(pattern string) noteText {
	return noteText{
		fmt.Sprintf("%s is ignored without a reason: add the reason after the rule", quote(pattern)),
		fmt.Sprintf("%s is silenced here and nobody says why: put the reason behind the rule", quote(pattern)),
	}
}

func expired(pattern, date string) noteText {
	return noteText{
		fmt.Sprintf("this ignore of %s expired on %s: fix the finding, remove the ignore, or set a new date", quote(pattern), date),
		fmt.Sprintf("this ignore of %s ended with %s and silences nothing any more: mend what it hid, remove it, or set a new date", quote(pattern), date),
	}
}

func unused(pattern string) noteText {
	return noteText{
		fmt.Sprintf("this ignore of %s has no effect: remove it", quote(pattern)),
		fmt.Sprintf("this ignore of %s silences nothing: remove it", quote(pattern)),
	}
}

func unknownRule(pattern string, known []string) noteText {
	const maxPattern = 100
	near := nearest.Name(pattern[:min(len(pattern), maxPattern)], known)
	if near == "" {
		return noteText{
			fmt.Sprintf("unknown rule %s in an ignore: see `salint rules`", quote(pattern)),
			fmt.Sprintf("there is no rule %s to be ignored: `salint rules` lists them", quote(pattern)),
		}
	}
	return noteText{
		fmt.Sprintf("unknown rule %s in an ignore: did you mean %s?", quote(pattern), near),
		fmt.Sprintf("there is no rule %s to be ignored: did you mean %s?", quote(pattern), near),
	}
}

// The problems of directives, which set the message and the text of the fingerprint.

func (d *Directive) unknownName(name string) {
	d.Problem = "unknown directive " + quote(name) + ": use ignore or ignore-file"
	d.fingerprint = "salint knows ignore and ignore-file, not " + quote(name)
}

func (d *Directive) noRule(name string) {
	d.Problem = "no rule is named: write `# salint:" + name + " RULE reason`"
	d.fingerprint = "it names no rule: write `# salint:" + name + " RULE reason`"
}

func (d *Directive) invalidDate(date string) {
	d.Problem = "until=" + quote(date) + " is not a date: use a date such as until=2027-01-31"
	d.fingerprint = "until=" + quote(date) + " is not a date: write it as until=2027-01-31"
}
