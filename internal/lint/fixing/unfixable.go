package fixing

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/lint/judging"
)

// unfixableNotes are the notes on findings that are not fixed. The reason is often the same in all charts of a repository: such notes
// become one.
type unfixableNotes struct {
	groups []*unfixedGroup
	byKey  map[string]*unfixedGroup
	seen   map[finding.Identity]bool // units can share a base with the finding
}

// SameReason begins the part of a note about the other findings of its group.
const SameReason = ". The same reason applies to "

// UnfixablePrefix begins the notes that a finding of a rule is not fixed.
func UnfixablePrefix(rule string) string { return rule + " is not fixed: " }

// maxReason is the greatest length, in characters, of the message that a finding is not fixed, if a part can be moved out of it.
const maxReason = 200

// detail is a part of a reason in parentheses that begins with its place.
var detail = lazyregexp.New(` \(([^():\s]+):(\d+)(?::\d+)?: (.*)\)(,|:)`)

// withoutDetail moves the detail of a long message to a related place. The notes stay apart by their findings.
func withoutDetail(message string) (short string, related []finding.Related) {
	found := detail().FindStringSubmatch(message)
	if found == nil || utf8.RuneCountInString(message) <= maxReason {
		return message, nil
	}
	line, err := strconv.Atoi(found[2])
	if err != nil {
		return message, nil
	}
	return strings.Replace(message, found[0], found[4], 1), []finding.Related{{File: found[1], Line: line, Message: found[3]}}
}

type unfixedGroup struct {
	notes []finding.Finding
	// known is true if the baseline has one of the notes, which stood for all of them when the baseline was written.
	known bool
}

// chartGroup returns the group of a note about an object of a chart; "" for other objects, whose notes are not grouped.
func chartGroup(o *objects.Object, reason string) string {
	if o == nil || o.InFile() {
		return ""
	}
	return reason
}

func (l *unfixableNotes) add(note finding.Finding, chart string, silence judging.Silenced) {
	key := note.Shown()
	if l.seen == nil {
		l.seen, l.byKey = map[finding.Identity]bool{}, map[string]*unfixedGroup{}
	}
	if l.seen[key] || silence.Has(note) && !silence.Known(note) {
		return
	}
	l.seen[key] = true
	rule, _, _ := strings.Cut(note.Message, " ")
	group := l.byKey[rule+"\x00"+chart]
	if group == nil || chart == "" {
		group = &unfixedGroup{}
		l.groups = append(l.groups, group)
		l.byKey[rule+"\x00"+chart] = group
	}
	group.notes = append(group.notes, note)
	group.known = group.known || silence.Known(note)
}

// notes returns the first note of each group, which mentions the others.
func (l *unfixableNotes) notes() []finding.Finding {
	var all []finding.Finding
	for _, group := range l.groups {
		if group.known {
			continue
		}
		finding.Sort(group.notes)
		first := group.notes[0]
		if more := len(group.notes) - 1; more > 0 {
			first.Message += fmt.Sprintf(SameReason+"%s, the next one at %s:%d",
				words.Count(more, "more finding"), group.notes[1].File, group.notes[1].Range.Line)
		}
		all = append(all, first)
	}
	return all
}
