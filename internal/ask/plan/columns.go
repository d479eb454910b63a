package plan

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/olm"
)

// column is one or more neighboring targets for which every extension has the same cell.
type column struct {
	first, last int // in Plan.Targets
}

// columns joins neighboring releases of one line with the same model, if no cell differs. An extension's own release and the
// next one are never joined.
func (p *Plan) columns() []column {
	var joined []column
	for i := range p.Targets {
		if last := len(joined) - 1; last >= 0 && !p.perExtension && p.alike(joined[last].last, i) {
			joined[last].last = i
			continue
		}
		joined = append(joined, column{i, i})
	}
	return joined
}

// alike returns whether two targets are releases of one line with the same cells.
func (p *Plan) alike(i, j int) bool {
	a, b := p.Targets[i], p.Targets[j]
	if a.Model != b.Model || len(olm.ReleaseLines([]olm.Target{a, b})) != 1 {
		return false
	}
	return !slices.ContainsFunc(p.Extensions, func(e Extension) bool { return !e.Cells[i].like(e.Cells[j]) })
}

// like returns whether two cells are the same except for the names of their targets.
func (c Cell) like(other Cell) bool {
	return c.Status == other.Status && c.Rule == other.Rule && c.When == other.When && c.Origin == other.Origin && c.Shared == other.Shared &&
		unnamed(c.Reason, c.Target) == unnamed(other.Reason, other.Target) && unnamed(c.Command, c.Target) == unnamed(other.Command, other.Target)
}

// speaksFor returns whether the text of a cell can be used for another target. A text that names a release of OpenShift
// would mislead users of OLM alone.
func (c Cell) speaksFor(t olm.Target) bool {
	return c.Target.OpenShift() == t.OpenShift() || !strings.Contains(c.Reason+c.Command, c.Target.Name)
}

func unnamed(text string, t olm.Target) string { return strings.ReplaceAll(text, t.Name, "\x00") }

// name returns the name of a column, such as ocp-4.18 … ocp-5.1.
func (p *Plan) name(c column) string {
	if c.first == c.last {
		return p.Targets[c.first].Name
	}
	return p.Targets[c.first].Name + " … " + p.Targets[c.last].Name
}

// outcome is a cell that applies to one or more targets, in the words of the first.
type outcome struct {
	targets []string
	Cell
}

// outcomes returns the cells of an extension for all targets, with equal cells merged.
func (p *Plan) outcomes(e Extension, columns []column) []outcome {
	var all []outcome
	for _, c := range columns {
		cell := e.Cells[c.first]
		if cell.Status == NotJudged {
			continue
		}
		i := slices.IndexFunc(all, func(o outcome) bool { return o.Cell.like(cell) && o.Cell.speaksFor(cell.Target) })
		if i < 0 {
			i, all = len(all), append(all, outcome{Cell: cell})
		}
		all[i].targets = append(all[i].targets, p.name(c))
	}
	slices.SortStableFunc(all, func(a, b outcome) int { return rank(b.Status) - rank(a.Status) })
	return all
}

// refusal returns why there is no fix, as a part of the text; "" if there is one.
func (c Cell) refusal() string {
	if c.Refused == "" {
		return ""
	}
	return "not fixed: " + c.Refused
}

func rank(s Status) int { return slices.Index([]Status{Works, Warns, Breaks}, s) }
