package report

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/output/picture"
)

// How much of a graph is drawn.
const (
	drawnNodes = 60  // of one unit
	drawnTotal = 360 // of all
	drawnOpen  = 120 // more are folded
	graphRows  = 300 // of the table of one unit
	graphUnits = 40
)

// htmlGraph is the picture of who is bound to what, one for each unit.
type htmlGraph struct {
	Intro    string
	Compared bool
	Units    []htmlUnit
	Left     string
}

type htmlUnit struct {
	ID            string
	Title, Counts string
	Open          bool
	Drawing       *picture.Drawing
	Left          string
	Rows          []htmlRow
	RowsLeft      int
}

// htmlRow is a node in words.
type htmlRow struct {
	ID, Title, Change string
	Marks, To         []string
	Place             string
}

// htmlGraphOf gives nil where there is nothing to draw.
func htmlGraphOf(g *picture.Graph, rel func(string) string) *htmlGraph {
	if g == nil || len(g.Nodes) == 0 {
		return nil
	}
	out := &htmlGraph{Intro: "From extensions to the identities that OLM acts as for them, and from identities over bindings to roles."}
	out.Compared = slices.ContainsFunc(g.Nodes, func(n picture.Node) bool { return n.Change != "" }) ||
		slices.ContainsFunc(g.Edges, func(e picture.Edge) bool { return e.Change != "" })
	if out.Compared {
		out.Intro += " What the change brings and what it removes is marked."
	}
	units, total := g.ByUnit(), 0
	for i, unit := range units {
		if i == graphUnits || total >= drawnTotal {
			out.Left = fmt.Sprintf("%s are not drawn: salint graph PATH draws them one by one.", count(len(units)-i, "more deployment unit"))
			break
		}
		shown := unit.Focus(min(drawnNodes, drawnTotal-total))
		total += len(shown.Shown.Nodes)
		u := htmlUnit{
			ID: fmt.Sprintf("u%d", i), Title: unit.Units[0].Label(rel), Counts: countsOf(unit), Open: total <= drawnOpen || i == 0,
			Drawing: shown.Shown.Draw(rel), Left: leftOut(shown.Left),
		}
		u.rows(unit, shown.Shown, rel)
		out.Units = append(out.Units, u)
	}
	return out
}

// rows are the nodes as a table: those of the picture first, for it leads to them.
func (u *htmlUnit) rows(all, drawn *picture.Graph, rel func(string) string) {
	titles, to, inPicture := map[string]string{}, map[string][]string{}, map[string]bool{}
	for _, n := range all.Nodes {
		titles[n.ID] = n.Title()
	}
	for _, n := range drawn.Nodes {
		inPicture[n.ID] = true
	}
	for _, e := range all.Edges {
		text := string(e.Kind) + " " + titles[e.To]
		if e.Refused {
			text += " (refused)"
		}
		if e.Change != "" {
			text += " (" + string(e.Change) + ")"
		}
		to[e.From] = append(to[e.From], text)
	}
	nodes := slices.Clone(all.Nodes)
	slices.SortStableFunc(nodes, func(a, b picture.Node) int { return rankIn(inPicture, a) - rankIn(inPicture, b) })
	u.RowsLeft = max(len(nodes)-graphRows, 0)
	for _, n := range nodes[:len(nodes)-u.RowsLeft] {
		row := htmlRow{ID: n.ID, Title: n.Title(), Change: string(n.Change), Marks: n.Marks(), To: to[n.ID], Place: n.Place(rel)}
		if len(row.To) > pageRelated {
			row.To = append(slices.Clone(row.To[:pageRelated]), fmt.Sprintf("and %d more", len(row.To)-pageRelated))
		}
		u.Rows = append(u.Rows, row)
	}
}

func rankIn(picture map[string]bool, n picture.Node) int {
	if picture[n.ID] {
		return 0
	}
	return 1
}

// nodeNames are the kinds of nodes in the order of the columns.
var nodeNames = []struct {
	kind      picture.NodeKind
	one, many string
}{
	{picture.Extension, "extension", "extensions"}, {picture.Identity, "identity", "identities"},
	{picture.Binding, "binding", "bindings"}, {picture.Role, "role", "roles"},
}

func countsOf(g *picture.Graph) string {
	numbers := map[picture.NodeKind]int{}
	for _, n := range g.Nodes {
		numbers[n.Kind]++
	}
	return joined(numbered(numbers))
}

func numbered(numbers map[picture.NodeKind]int) []string {
	var said []string
	for _, name := range nodeNames {
		if n := numbers[name.kind]; n > 0 {
			said = append(said, fmt.Sprintf("%d %s", n, verb(n, name.one, name.many)))
		}
	}
	return said
}

// leftOut says what a picture does not show.
func leftOut(left map[picture.NodeKind]int) string {
	said := numbered(left)
	if len(said) == 0 {
		return ""
	}
	return safetext.Text(fmt.Sprintf("Not drawn: %s. The table has them, and salint graph --extension NAME draws one alone.", joined(said)))
}
