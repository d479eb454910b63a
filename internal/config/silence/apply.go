package silence

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/glob"
)

// NoteRule is the rule that reports ignores without effect.
const NoteRule = "repo/unused-ignore"

// AnnotationKey is the annotation that silences rules on its object. Its value is a list of rule names or patterns,
// separated by commas.
const AnnotationKey = "salint/ignore"

// Annotation is the annotation of one object.
type Annotation struct {
	File     string
	Resource finding.Resource
	// Variant is that of the findings' Source, for an annotation of one object among several made from the same source; "" for
	// all.
	Variant string
	// Value is the text of the annotation.
	Value string
	// First and Last are the first and last line of the object; the annotation does not apply to copies of it elsewhere.
	First, Last int
	// Range is the position of the annotation: in File, or in Place if that is another file.
	Range finding.Range
	Place string
}

func (a Annotation) place() string { return cmp.Or(a.Place, a.File) }

// Options describe the run.
type Options struct {
	Now time.Time
	// Known are the names of all rules; if it is empty, every name counts as known.
	Known []string
	// Allowance is what may be silenced; nil does not limit it.
	Allowance *Allowance
	// Ran returns whether a rule was part of this run: an ignore of a rule that did not run is not reported. Nil means that
	// all ran.
	Ran func(rule string) bool
}

// Apply removes the silenced findings, and sets the Suppression of those. Directives are listed by file. The notes report ignores that have no effect, have
// expired, cannot be parsed or give no reason. The order of the findings is kept; the notes are sorted.
func Apply(findings []finding.Finding, directives map[string][]Directive, annotations []Annotation, o Options) (kept, suppressed, notes []finding.Finding) {
	index := newIndex(directives, annotations, o)
	by := make([]*ignore, len(findings))
	for n, f := range findings {
		by[n] = index.silences(f)
	}
	limit(findings, by, o.Allowance)
	for n, f := range findings {
		if by[n] != nil {
			f.Suppression = by[n].suppression()
			suppressed = append(suppressed, f)
		} else {
			kept = append(kept, f)
		}
	}
	for _, i := range index.all {
		notes = append(notes, i.notes(o)...)
	}
	finding.Sort(notes)
	return kept, suppressed, notes
}

// limit removes the ignores of findings that the allowance does not cover. It is used up in the order of files and lines.
func limit(findings []finding.Finding, by []*ignore, allowance *Allowance) {
	if allowance == nil {
		return
	}
	var order []int
	for n := range findings {
		if by[n] != nil {
			order = append(order, n)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return finding.Compare(findings[a], findings[b]) })
	for _, n := range order {
		if over := allowance.exceeded(findings[n]); over != nil {
			by[n].over, by[n].overCount = over, by[n].overCount+1
			by[n] = nil
		}
	}
}

// notes reports what is wrong with an ignore.
func (i *ignore) notes(o Options) []finding.Finding {
	var out []finding.Finding
	note := func(message string) {
		out = append(out, finding.Finding{
			Rule: NoteRule, Severity: finding.Note, Message: message, File: i.file, Range: i.at, Resource: i.resource,
		})
	}
	if i.directive != nil && i.directive.Problem != "" {
		note(problemNote(i.directive))
		return out
	}
	if i.over != nil {
		note(fmt.Sprintf("this ignore does not count for %s: %s", words.Count(i.overCount, "finding"), limitText(i.over)))
	}
	if len(i.rules) == 0 {
		note(fmt.Sprintf("this annotation names no rule: set `%s: RULE`, or remove it", AnnotationKey))
	}
	for n, pattern := range i.rules {
		if message := i.ineffective(n, o); message != "" {
			note(message)
		} else if i.used[n] && i.directive != nil && i.directive.Reason == "" {
			note(noReason(pattern))
		}
	}
	return out
}

// ineffective returns the note that a rule of an ignore silences nothing. It is empty if the rule does, or could in a run of that
// rule.
func (i *ignore) ineffective(n int, o Options) string {
	pattern := i.rules[n]
	known := len(o.Known) == 0
	ran := known
	for _, name := range o.Known {
		if glob.Rule(pattern, name) {
			known = true
			ran = ran || o.Ran == nil || o.Ran(name)
		}
	}
	switch {
	case !known:
		return unknownRule(pattern, o.Known)
	case i.directive != nil && i.directive.expired(o.Now):
		return expired(pattern, i.directive.Until.Format(time.DateOnly))
	case ran && !i.used[n]:
		return unused(pattern)
	}
	return ""
}
