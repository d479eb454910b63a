package silence

import (
	"cmp"
	"fmt"
	"time"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/glob"
)

// NoteRule is the rule under which ignores are reported that no longer do anything.
const NoteRule = "repo/unused-ignore"

// AnnotationKey is the annotation that silences rules on its object: names or patterns with commas between them.
const AnnotationKey = "salint/ignore"

// Annotation is the annotation of one object.
type Annotation struct {
	File     string
	Resource finding.Resource
	// As is that of the findings' Source, for an annotation of one object among several that are made of it; "" for all.
	As string
	// Value is the text of the annotation.
	Value string
	// First and Last are the lines between which the object stands; copies of it elsewhere are not meant.
	First, Last int
	// Range is where the annotation stands: in File, or in Place where that is another file.
	Range finding.Range
	Place string
}

func (a Annotation) place() string { return cmp.Or(a.Place, a.File) }

// Options are what Apply needs to know of the run.
type Options struct {
	Now time.Time
	// Known are the names of all rules there are; with none given, every name is taken for one.
	Known []string
	// Ran tells whether a rule was part of this run: an ignore of one that was not is no news. Nil means that all were.
	Ran func(rule string) bool
}

// Apply takes the silenced findings out. Directives are listed by file. The notes say which ignores have no effect, are
// past their date, cannot be understood or give no reason. The order of the findings is kept; the notes are sorted.
func Apply(findings []finding.Finding, directives map[string][]Directive, annotations []Annotation, o Options) (kept, suppressed, notes []finding.Finding) {
	index := newIndex(directives, annotations, o)
	for _, f := range findings {
		if index.silences(f) {
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

// notes says what is wrong with an ignore.
func (i *ignore) notes(o Options) []finding.Finding {
	var out []finding.Finding
	note := func(format string, args ...any) {
		out = append(out, finding.Finding{
			Rule: NoteRule, Severity: finding.Note, Message: fmt.Sprintf(format, args...), File: i.file, Range: i.at,
			Resource: i.resource,
		})
	}
	if i.directive != nil && i.directive.Problem != "" {
		note("this comment silences nothing: %s", i.directive.Problem)
		return out
	}
	if len(i.rules) == 0 {
		note("this annotation names no rule: write %s: RULE, or remove it", AnnotationKey)
	}
	for n, pattern := range i.rules {
		if why := i.ineffective(n, o); why != "" {
			note("%s", why)
		} else if i.used[n] && i.directive != nil && i.directive.Reason == "" {
			note("%s is silenced here and nobody says why: put the reason behind the rule", quote(pattern))
		}
	}
	return out
}

// ineffective says why a rule of an ignore silences nothing, "" when it does, or could in a run of that rule.
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
		return fmt.Sprintf("this ignore of %s ended with %s and silences nothing any more: mend what it hid, remove it, or set a new date",
			quote(pattern), i.directive.Until.Format(time.DateOnly))
	case ran && !i.used[n]:
		return fmt.Sprintf("this ignore of %s silences nothing: remove it", quote(pattern))
	}
	return ""
}

func unknownRule(pattern string, known []string) string {
	const most = 100
	near := nearest.Name(pattern[:min(len(pattern), most)], known)
	if near == "" {
		return fmt.Sprintf("there is no rule %s to be ignored: `salint rules` lists them", quote(pattern))
	}
	return fmt.Sprintf("there is no rule %s to be ignored: did you mean %s?", quote(pattern), near)
}
