package fields

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// edit is what a general fix does to a field.
type edit struct {
	path   manifest.Path
	remove bool
	value  any
}

// editOf returns the edit of a request; ok is false for a request of another fixer.
func editOf(r engine.Request) (e edit, ok bool) {
	switch r.Fixer {
	case "set-label", "remove-label":
		e.path = manifest.Path{"metadata", "labels", text(r, "key")}
	case "set-annotation", "remove-annotation":
		e.path = manifest.Path{"metadata", "annotations", text(r, "key")}
	case "set-field", "remove-field":
		e.path = pathOf(r)
	default:
		return e, false
	}
	e.value = r.Args["value"]
	e.remove = r.Fixer == "remove-label" || r.Fixer == "remove-annotation" || r.Fixer == "remove-field"
	return e, true
}

func (e edit) equals(other edit) bool {
	return slices.Equal(e.path, other.path) && e.remove == other.remove && reflect.DeepEqual(e.value, other.value)
}

// contradicts reports whether two edits cannot both hold: they leave one field with different values, or one of them changes what the other
// sets or removes as a whole.
func (e edit) contradicts(other edit) bool {
	n := min(len(e.path), len(other.path))
	return slices.Equal(e.path[:n], other.path[:n]) && !e.equals(other) && !(e.remove && other.remove)
}

// String says what the edit does after the name of its rule, as in `sets spec.paused to true`.
func (e edit) String() string {
	if e.remove {
		return "removes " + e.path.String()
	}
	value, _ := json.Marshal(e.value) // it was read from JSON
	const most = 60
	if len(value) > most {
		return fmt.Sprintf("sets %s to %s…", e.path, string([]rune(string(value))[:most/2]))
	}
	return fmt.Sprintf("sets %s to %s", e.path, value)
}

// Prepare compares the general fixes of a run. It sets the units of requests of the same edit, whichever rules they are of, and returns
// for each request why it is refused; nil if it is not. Rules that contradict each other would overwrite each other's fixes.
func Prepare(requests []engine.Request, earlier *Earlier) []*engine.Refusal {
	refused := make([]*engine.Refusal, len(requests))
	bySource := map[string][]int{}
	for i, r := range requests {
		if _, general := editOf(r); general {
			key := applied.SourceKey(r.Object)
			bySource[key] = append(bySource[key], i)
		}
	}
	for _, indexes := range bySource {
		prepareObject(requests, indexes, refused)
		for _, i := range indexes {
			if refused[i] == nil {
				refused[i] = earlier.refusalOf(requests[i])
			}
		}
	}
	return refused
}

// prepareObject is Prepare for the requests of one object.
func prepareObject(requests []engine.Request, indexes []int, refused []*engine.Refusal) {
	units := make([][]*objects.Unit, len(indexes))
	for n, i := range indexes {
		mine, _ := editOf(requests[i])
		for _, j := range indexes {
			other, _ := editOf(requests[j])
			switch {
			case mine.equals(other):
				units[n] = append(units[n], requests[j].Units...)
			case mine.contradicts(other) && refused[i] == nil:
				refused[i] = contradiction(mine, other, requests[i].Rule, requests[j].Rule)
			}
		}
	}
	for n, i := range indexes {
		requests[i].Units = units[n]
	}
}

// contradiction returns the refusal of two edits, in an order that does not depend on which of them is refused.
func contradiction(a, b edit, ruleA, ruleB string) *engine.Refusal {
	if ruleA > ruleB || ruleA == ruleB && a.String() > b.String() {
		a, b, ruleA, ruleB = b, a, ruleB, ruleA
	}
	other, change := ruleB+" ", "one of the rules"
	if ruleA == ruleB {
		other, change = "also ", "the rule"
	}
	return &engine.Refusal{Reason: fmt.Sprintf("%s %s, and %s%s, so neither is applied: change %s", ruleA, a, other, b.after(a), change)}
}

// after is String for an edit that is named after another one.
func (e edit) after(other edit) string {
	text := e.String()
	if slices.Equal(e.path, other.path) {
		text = strings.Replace(text, e.path.String(), "it", 1)
	}
	return text
}
