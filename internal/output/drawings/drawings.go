package drawings

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/output/picture"
)

// The limits of the drawings.
const (
	drawnNodes = 60  // of one unit
	drawnTotal = 360 // of all
	drawnOpen  = 120 // more are folded
	graphRows  = 300 // of the table of one unit
	graphUnits = 40
	rowTargets = 12 // of one row
)

// Page is the graph of identities, bindings and roles, with a drawing for each unit.
type Page struct {
	Intro    string
	Compared bool
	Units    []Unit
	Left     string
}

// Unit is the drawing of a deployment unit, with its table.
type Unit struct {
	ID            string
	Title, Counts string
	Open          bool
	Drawing       *picture.Drawing
	Left          string
	Rows          []Row
	RowsLeft      int
}

// Row is a row of the table of a drawing.
type Row struct {
	ID, Title, Change string
	Marks, To         []string
	Place             string
}

// HasChange reports whether a graph compares two states and has a difference.
func HasChange(g *picture.Graph) bool {
	return slices.ContainsFunc(g.Nodes, func(n picture.Node) bool { return n.Change != "" }) ||
		slices.ContainsFunc(g.Edges, func(e picture.Edge) bool { return e.Change != "" })
}

// Of returns the drawings of a graph, with paths as rel writes them; nil if there is nothing to draw.
func Of(g *picture.Graph, rel func(string) string) *Page {
	if g == nil || len(g.Nodes) == 0 {
		return nil
	}
	out := &Page{Intro: "Identities lead through bindings to roles."}
	if slices.ContainsFunc(g.Nodes, func(n picture.Node) bool { return n.Kind == picture.Extension }) {
		out.Intro = "Extensions lead to the identities with which OLM installs them, and identities lead through bindings to roles."
	}
	if out.Compared = HasChange(g); out.Compared {
		out.Intro += " Added and removed parts are marked."
	}
	units, total := g.ByUnit(), 0
	for i, unit := range units {
		if i == graphUnits || total >= drawnTotal {
			out.Left = fmt.Sprintf("%s are not drawn: run salint graph PATH for each of them.", words.Count(len(units)-i, "more deployment unit"))
			break
		}
		shown := unit.Focus(min(drawnNodes, drawnTotal-total))
		total += len(shown.Shown.Nodes)
		u := Unit{
			ID: fmt.Sprintf("u%d", i), Title: unit.Units[0].Label(rel), Counts: countsOf(unit), Open: total <= drawnOpen || i == 0,
			Drawing: shown.Shown.Draw(rel), Left: leftOut(shown.Left),
		}
		u.rows(unit, shown.Shown, rel)
		out.Units = append(out.Units, u)
	}
	return out
}

// rows fills the table: the nodes of the drawing come first, because it links to their rows.
func (u *Unit) rows(all, drawn *picture.Graph, rel func(string) string) {
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
		row := Row{ID: n.ID, Title: n.Title(), Change: string(n.Change), Marks: n.Marks(), To: to[n.ID], Place: n.Place(rel)}
		if len(row.To) > rowTargets {
			row.To = append(slices.Clone(row.To[:rowTargets]), fmt.Sprintf("and %d more", len(row.To)-rowTargets))
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
	return words.And(Numbered(numbers))
}

// Numbered returns the numbers of nodes by their kinds, as words.
func Numbered(numbers map[picture.NodeKind]int) []string {
	var parts []string
	for _, name := range nodeNames {
		if n := numbers[name.kind]; n > 0 {
			parts = append(parts, words.CountOf(n, name.one, name.many))
		}
	}
	return parts
}

// leftOut returns what a drawing does not show.
func leftOut(left map[picture.NodeKind]int) string {
	parts := Numbered(left)
	if len(parts) == 0 {
		return ""
	}
	return safetext.Text(fmt.Sprintf("Not drawn: %s. The table lists them; salint graph --extension NAME draws one extension.", words.And(parts)))
}
