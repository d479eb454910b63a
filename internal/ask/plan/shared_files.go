package plan

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/session"
)

// place is the position of an extension; several units can apply it, each with a different target.
type place struct {
	file  string
	line  int
	model olm.Model
}

func placeOf(e *Extension, target olm.Target) place { return place{e.File, e.Line, target.Model} }

// elsewhere returns a note if another unit, whose target today has a different model, also applies the file of an
// extension.
func (b *builder) elsewhere(e *Extension, target olm.Target) string {
	if e.isFixedByFolder(target) {
		return ""
	}
	at := placeOf(e, target)
	found, known := b.sharing[at]
	if !known {
		found = others(e.applied, func(a session.Applied) bool { return a.Today.Known && a.Today.Target.Model != target.Model })
		b.sharing[at] = found
	}
	for _, other := range found {
		if other.Unit != e.unit {
			return applied([]string{e.File}) + otherTarget(e, other, target)
		}
	}
	return ""
}

// others returns the first two units that matter; at least one of them differs from any given unit.
func others(applied []session.Applied, matters func(session.Applied) bool) []session.Applied {
	var found []session.Applied
	for _, a := range applied {
		if matters(a) {
			if found = append(found, a); len(found) == 2 {
				break
			}
		}
	}
	return found
}

// applied begins a note about files that other units apply too.
func applied(files []string) string {
	verb := " is"
	if len(files) > 1 {
		verb = " are"
	}
	return listed(files) + verb + " also applied by "
}

// otherTarget ends a note about another unit with another target. It names the targets that the configuration must set first: none if
// the unit of the extension has the target that the command is for.
func otherTarget(e *Extension, other session.Applied, to olm.Target) string {
	const kept = "The command sets no target, so that each unit keeps what it needs"
	if !other.Today.Known {
		return fmt.Sprintf("%s, whose target is unknown. First set the targets of both under overrides: in .salint.yaml. ", other.Unit) + kept
	}
	now := fmt.Sprintf("%s, whose target today is %s. ", other.Unit, other.Today.Target.Name)
	switch {
	case e.Today != nil && e.Today.Model == to.Model:
		return now + kept
	case other.Today.Asked:
		return now + fmt.Sprintf("First set the target of %s to %s under overrides: in .salint.yaml. ", applier(e), to.Name) + kept
	}
	return now + "While that target stays, first set the targets of both under overrides: in .salint.yaml. " + kept
}

// behind returns units that apply the file of an extension but are not part of the transition, and need something else or can need it
// because their target is unknown.
func (p *planner) behind(e *Extension, to olm.Target) []session.Applied {
	if e.isFixedByFolder(to) {
		return nil
	}
	if p.goes == nil {
		p.goes, p.staying = map[*objects.Unit]bool{}, map[place][]session.Applied{}
		for _, e := range p.extensions {
			p.goes[e.unit] = true
		}
	}
	at := placeOf(e, to)
	found, known := p.staying[at]
	if !known {
		found = others(e.applied, func(a session.Applied) bool {
			return !p.goes[a.Unit] && (!a.Today.Known || a.Today.Target.Model != to.Model)
		})
		p.staying[at] = found
	}
	return found
}

// lints returns command lines that fix extensions. The target of a command applies to every unit of a file, so the command
// sets none if a unit is not part of the transition.
func (p *planner) lints(to olm.Target, flags []string, extensions []*Extension) []string {
	var alone, shared []*Extension
	for _, e := range extensions {
		if p.isGuess(e) || len(p.behind(e, to)) > 0 {
			shared = append(shared, e)
		} else {
			alone = append(alone, e)
		}
	}
	var commands []string
	if len(shared) > 0 {
		commands = append(commands, p.lintOf("", flags, p.filesOf(shared, to)))
	}
	if len(alone) > 0 {
		commands = append(commands, p.lintOf(to.Name, flags, p.filesOf(alone, to)))
	}
	return commands
}

// naming returns the name of a target for a command about extensions, or "" if another unit is not part of the transition.
func (p *planner) naming(to olm.Target, extensions ...*Extension) string {
	if slices.ContainsFunc(extensions, func(e *Extension) bool { return p.isGuess(e) || len(p.behind(e, to)) > 0 }) {
		return ""
	}
	return to.Name
}

// isGuess reports whether it is not known that an extension goes to the target of its transition. A command that names it could remove a field that
// the cluster requires; without it, salint refuses until the target is set.
func (p *planner) isGuess(e *Extension) bool { return e.Today == nil && p.perExtension() }

// otherUnits returns notes about the files of a step that other units also apply, one for all files of the same units.
func (p *planner) otherUnits(extensions []*Extension, to olm.Target) []string {
	var order []string
	files := map[string][]string{}
	for _, e := range extensions {
		if e.isFixedByFolder(to) {
			continue
		}
		about := p.otherUnit(e, to)
		if about == "" || slices.Contains(files[about], e.File) {
			continue
		}
		if files[about] == nil {
			order = append(order, about)
		}
		files[about] = append(files[about], e.File)
	}
	var notes []string
	for _, about := range order {
		notes = append(notes, applied(files[about])+about)
	}
	return few(notes)
}

// otherUnit returns the end of a note about another unit that applies the file of an extension, "" if none matters.
func (p *planner) otherUnit(e *Extension, to olm.Target) string {
	if found := p.behind(e, to); len(found) > 0 {
		return otherTarget(e, found[0], to)
	}
	return ""
}

// maxNotes is the maximum number of notes of a kind in a step.
const maxNotes = 10

// few shortens a list of notes and counts the rest.
func few(notes []string) []string {
	if len(notes) <= maxNotes {
		return notes
	}
	return append(notes[:maxNotes:maxNotes], fmt.Sprintf("and %d more", len(notes)-maxNotes))
}
