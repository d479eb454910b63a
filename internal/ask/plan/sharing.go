package plan

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint"
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
		found = others(e.applied, target, func(*objects.Unit) bool { return false })
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
func others(applied []lint.Applied, target olm.Target, goes func(*objects.Unit) bool) []lint.Applied {
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
		"under overrides: in .salint.yaml first. The command names none, so that each keeps what it needs", e.File, other.Unit, other.Today.Target.Name)
}

// behind are units that apply the file of an extension and do not go along.
func (w *way) behind(e *Extension, to olm.Target) []lint.Applied {
	if w.goes == nil {
		w.goes, w.staying = map[*objects.Unit]bool{}, map[place][]lint.Applied{}
		for _, e := range w.extensions {
			w.goes[e.unit] = true
		}
	}
	at := placeOf(e, to)
	found, known := w.staying[at]
	if !known {
		found = others(e.applied, to, func(u *objects.Unit) bool { return w.goes[u] })
		w.staying[at] = found
	}
	return found
}

// lints are command lines that fix extensions. A target that is named holds for whatever applies a file, so that none is where others
// stay behind.
func (w *way) lints(to olm.Target, flags []string, extensions []*Extension) []string {
	var alone, shared []*Extension
	for _, e := range extensions {
		if len(w.behind(e, to)) > 0 {
			shared = append(shared, e)
		} else {
			alone = append(alone, e)
		}
	}
	var commands []string
	if len(shared) > 0 {
		commands = append(commands, w.lintOf("", flags, w.filesOf(shared)))
	}
	if len(alone) > 0 {
		commands = append(commands, w.lintOf(to.Name, flags, w.filesOf(alone)))
	}
	return commands
}

// naming is the name of a target for a command about some extensions, "" where others stay behind.
func (w *way) naming(to olm.Target, extensions ...*Extension) string {
	if slices.ContainsFunc(extensions, func(e *Extension) bool { return len(w.behind(e, to)) > 0 }) {
		return ""
	}
	return to.Name
}

// stayBehind say which files of a step are applied by units that do not go along.
func (w *way) stayBehind(extensions []*Extension, to olm.Target) []string {
	seen := map[place]bool{}
	var notes []string
	for _, e := range extensions {
		at := placeOf(e, to)
		if seen[at] {
			continue
		}
		seen[at] = true
		if found := w.behind(e, to); len(found) > 0 {
			notes = append(notes, staying(e, found[0]))
		} else if i := slices.IndexFunc(e.applied, w.takenAlong); i >= 0 {
			notes = append(notes, along(e, e.applied[i].Unit))
		}
	}
	return few(notes)
}

// takenAlong tells of a unit that nobody asked about, and of which nothing says what it is applied to.
func (w *way) takenAlong(a lint.Applied) bool { return !a.Today.Known && !w.goes[a.Unit] }

func along(e *Extension, other *objects.Unit) string {
	return fmt.Sprintf("%s is applied by %s as well, whose target nothing tells: the command changes what that applies, too. "+
		"If it stays behind, name the targets of both under overrides: in .salint.yaml first, and leave --target out", e.File, other)
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
