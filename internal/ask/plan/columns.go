package plan

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/olm"
)

// column is one or more neighbouring targets on which every extension does the same.
type column struct {
	first, last int // in Plan.Targets
}

// columns joins neighbouring releases of one line that treat the field alike, where no cell differs.
func (p *Plan) columns() []column {
	var joined []column
	for i := range p.Targets {
		if last := len(joined) - 1; last >= 0 && p.alike(joined[last].last, i) {
			joined[last].last = i
			continue
		}
		joined = append(joined, column{i, i})
	}
	return joined
}

// alike tells whether two targets are releases of one line with the same cells.
func (p *Plan) alike(i, j int) bool {
	a, b := p.Targets[i], p.Targets[j]
	if a.Model != b.Model || len(olm.Successions([]olm.Target{a, b})) != 1 {
		return false
	}
	return !slices.ContainsFunc(p.Extensions, func(e Extension) bool { return !e.Cells[i].like(e.Cells[j]) })
}

// like tells whether two cells say the same, but for the names of their targets.
func (c Cell) like(other Cell) bool {
	return c.Status == other.Status && c.Rule == other.Rule && c.When == other.When && c.Origin == other.Origin && c.Shared == other.Shared &&
		unnamed(c.Reason, c.Target) == unnamed(other.Reason, other.Target) && unnamed(c.Command, c.Target) == unnamed(other.Command, other.Target)
}

// speaksFor tells whether the words of a cell can stand for another target. Those that name a release of OpenShift would mislead
// who has OLM alone.
func (c Cell) speaksFor(t olm.Target) bool {
	return c.Target.OpenShift() == t.OpenShift() || !strings.Contains(c.Reason+c.Command, c.Target.Name)
}

func unnamed(text string, t olm.Target) string { return strings.ReplaceAll(text, t.Name, "\x00") }

// name calls the targets of a column, as in ocp-4.18 … ocp-5.1.
func (p *Plan) name(c column) string {
	if c.first == c.last {
		return p.Targets[c.first].Name
	}
	return p.Targets[c.first].Name + " … " + p.Targets[c.last].Name
}

// outcome is what an extension does on one or more targets, in the words of the first.
type outcome struct {
	targets []string
	Cell
}

// outcomes are what an extension does on all targets, those where it does the same together.
func (p *Plan) outcomes(e Extension, columns []column) []outcome {
	var all []outcome
	for _, c := range columns {
		cell := e.Cells[c.first]
		i := slices.IndexFunc(all, func(o outcome) bool { return o.Cell.like(cell) && o.Cell.speaksFor(cell.Target) })
		if i < 0 {
			i, all = len(all), append(all, outcome{Cell: cell})
		}
		all[i].targets = append(all[i].targets, p.name(c))
	}
	slices.SortStableFunc(all, func(a, b outcome) int { return rank(b.Status) - rank(a.Status) })
	return all
}

func rank(s Status) int { return slices.Index([]Status{Works, Warns, Breaks}, s) }
