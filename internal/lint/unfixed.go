package lint

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// leftUnfixed gathers the notes on findings that are not fixed. What keeps them from being fixed is often the same in all
// charts of a repository: that is told once.
type leftUnfixed struct {
	groups []*unfixedGroup
	byKey  map[string]*unfixedGroup
	told   map[findingKey]bool // units may share what keeps them from being mended
}

type unfixedGroup struct {
	notes []finding.Finding
	// known tells that the baseline has one of them, which stood for all when it was written.
	known bool
}

// alikeInCharts tells reasons apart for objects of charts; "" for others, each of which is told by itself.
func alikeInCharts(o *objects.Object, reason string) string {
	if o == nil || o.InFile() {
		return ""
	}
	return reason
}

func (l *leftUnfixed) add(note finding.Finding, alike string, silence silencer) {
	key := keyOf(note)
	if l.told == nil {
		l.told, l.byKey = map[findingKey]bool{}, map[string]*unfixedGroup{}
	}
	if l.told[key] || silence.silenced(note) && !silence.known[key] {
		return
	}
	l.told[key] = true
	rule, _, _ := strings.Cut(note.Message, " ")
	group := l.byKey[rule+"\x00"+alike]
	if group == nil || alike == "" {
		group = &unfixedGroup{}
		l.groups = append(l.groups, group)
		l.byKey[rule+"\x00"+alike] = group
	}
	group.notes = append(group.notes, note)
	group.known = group.known || silence.known[key]
}

// notes are the first of each group, with a word on the others.
func (l *leftUnfixed) notes() []finding.Finding {
	var all []finding.Finding
	for _, group := range l.groups {
		if group.known {
			continue
		}
		finding.Sort(group.notes)
		first := group.notes[0]
		if more := len(group.notes) - 1; more > 0 {
			first.Message += fmt.Sprintf(". The same keeps %s from being fixed, the next one at %s:%d",
				counted(more, "finding"), group.notes[1].File, group.notes[1].Range.Line)
		}
		all = append(all, first)
	}
	return all
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 more " + what
	}
	return fmt.Sprintf("%d more %ss", n, what)
}
