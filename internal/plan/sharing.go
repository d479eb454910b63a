package plan

import (
	"fmt"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/lint"
	"github.com/salint/salint/internal/olm"
)

// place is where an extension stands; several units may apply what stands there, each with a target of its own.
type place struct {
	file  string
	line  int
	model olm.Model
}

func placeOf(e *Extension, target olm.Target) place { return place{e.File, e.Line, target.Model} }

// elsewhere says that the file of an extension is applied by another unit as well, for which the model of a target does not hold
// today.
func (b *builder) elsewhere(e *Extension, target olm.Target) string {
	at := placeOf(e, target)
	found, known := b.sharing[at]
	if !known {
		found = others(e.applied, target, func(*inventory.Unit) bool { return false })
		b.sharing[at] = found
	}
	for _, other := range found {
		if other.Unit != e.unit {
			return staying(e, other)
		}
	}
	return ""
}

// others are the first two units with another model today, of which one is sure to be another than any given one.
func others(applied []lint.Applied, target olm.Target, goes func(*inventory.Unit) bool) []lint.Applied {
	var found []lint.Applied
	for _, a := range applied {
		if a.Today.Known && a.Today.Target.Model != target.Model && !goes(a.Unit) {
			if found = append(found, a); len(found) == 2 {
				break
			}
		}
	}
	return found
}

func staying(e *Extension, other lint.Applied) string {
	return fmt.Sprintf("%s is applied by %s as well, where the target is %s today: as long as that one stays there, name the targets of both "+
		"under overrides: in .salint.yaml and leave --target out, so that each keeps what it needs", e.File, other.Unit, other.Today.Target.Name)
}

// stayBehind say which files of a step are applied by units that do not go along.
func (w *way) stayBehind(extensions []*Extension, to olm.Target) []string {
	goes := map[*inventory.Unit]bool{}
	for _, e := range w.extensions {
		goes[e.unit] = true
	}
	seen := map[place]bool{}
	var notes []string
	for _, e := range extensions {
		at := placeOf(e, to)
		if seen[at] {
			continue
		}
		seen[at] = true
		if found := others(e.applied, to, func(u *inventory.Unit) bool { return goes[u] }); len(found) > 0 {
			notes = append(notes, staying(e, found[0]))
		}
	}
	return few(notes)
}

// maxNotes is how many notes of a kind a step has.
const maxNotes = 10

// few cuts a list of notes, and says so.
func few(notes []string) []string {
	if len(notes) <= maxNotes {
		return notes
	}
	return append(notes[:maxNotes:maxNotes], fmt.Sprintf("and %d more of the kind", len(notes)-maxNotes))
}
