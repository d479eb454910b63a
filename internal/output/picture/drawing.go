package picture

import (
	"fmt"
	"math"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/objects"
)

// Drawing is the layout of a graph of one unit, in pixels of an SVG.
type Drawing struct {
	Width, Height int
	Titles        []Label // above the columns
	Boxes         []Box
	Arrows        []Arrow
}

// Box is a node.
type Box struct {
	Node                Node
	X, Y, Width, Height int
	// Class is its style: extension, identity, binding, role, admin, noEffect or unknown, with "missing" added for a missing
	// account.
	Class  string
	Labels []Label
	// Badge is the change, "" for none; it is right-aligned at BadgeX.
	Badge          string
	BadgeX, BadgeY int
	// Text is the text of all labels, unabridged.
	Text string
}

// Label is a line of text; X and Y are the start of its baseline. Class is kind, name, mark, alarm or place.
type Label struct {
	X, Y        int
	Class, Text string
}

// Arrow is an edge.
type Arrow struct {
	Edge
	Path string // of an SVG
	// Text is the label, "" if the columns make it clear; X and Y are its center.
	Text string
	X, Y int
}

// Dashed returns whether the arrow is not a grant, or may not be one.
func (a Arrow) Dashed() bool { return a.dashed() }

// Sizes in a drawing. nameColumns and markColumns are how many columns fit into a box in the monospaced font.
const (
	boxWidth    = 236
	columnGap   = 76
	margin      = 14
	titleHeight = 34
	padding     = 12
	nameColumns = 28
	markColumns = 34
	nameLines   = 3
)

// lineHeights are the distances between baselines, by the class of the label.
var lineHeights = map[string]int{"kind": 14, "name": 17, "mark": 15, "alarm": 15, "place": 15}

// Draw lays out a graph of one unit.
func (g *Graph) Draw(rel func(string) string) *Drawing {
	labels := make(map[string][]Label, len(g.Nodes))
	for _, n := range g.Nodes {
		labels[n.ID] = n.labels(rel)
	}
	l := layOut(g, func(n Node) float64 { return float64(heightOf(labels[n.ID])) })
	d := &Drawing{}
	x, left := margin, map[column]int{}
	for c, spots := range l.spots {
		left[column(c)] = x
		if d.column(column(c), x, spots, labels, rel) {
			x += boxWidth + columnGap
		}
	}
	d.Width = max(x-columnGap+margin, 2*margin+boxWidth)
	for _, r := range l.routes {
		d.Arrows = append(d.Arrows, arrow(r, left))
	}
	return d
}

// column draws the boxes of a column, and returns whether there are any.
func (d *Drawing) column(c column, x int, spots []*spot, labels map[string][]Label, rel func(string) string) bool {
	any := false
	for _, s := range spots {
		if s.node == nil {
			continue
		}
		any = true
		b := Box{
			Node: *s.node, X: x, Y: pixel(s.top) + titleHeight, Width: boxWidth, Height: int(s.height), Class: s.node.boxClass(),
			Badge: string(s.node.Change), Text: s.node.Text(rel),
		}
		for _, label := range labels[s.node.ID] {
			label.X, label.Y = label.X+b.X, label.Y+b.Y
			b.Labels = append(b.Labels, label)
		}
		b.BadgeX, b.BadgeY = b.X+b.Width-padding, b.Y+padding+8
		d.Boxes = append(d.Boxes, b)
		d.Height = max(d.Height, b.Y+b.Height+margin)
	}
	if any {
		title := [...]string{"Extension", "Identity", "Group", "Binding", "Role", "Aggregated role"}[c]
		d.Titles = append(d.Titles, Label{X: x, Y: titleHeight - 16, Class: "title", Text: title})
	}
	return any
}

func pixel(x float64) int { return int(math.Round(x)) }

// arrow leads from the right of a box to the left of the next, through the bends, in a curve that begins and ends
// horizontally. An arrow that leads back runs around on the right.
func arrow(r route, left map[column]int) Arrow {
	a := Arrow{Edge: r.edge}
	from, to := r.spots[0], r.spots[len(r.spots)-1]
	y := func(s *spot) int { return pixel(s.middle()) + titleHeight }
	x := left[from.column] + boxWidth
	var path strings.Builder
	fmt.Fprintf(&path, "M%d %d", x, y(from))
	if from.column >= to.column {
		end := left[to.column] + boxWidth
		fmt.Fprintf(&path, "C%d %d %d %d %d %d", x+columnGap/2, y(from), end+columnGap/2, y(to), end+5, y(to))
		a.Path = path.String()
		return a
	}
	for i, s := range r.spots[1:] {
		end, last := left[s.column], i == len(r.spots)-2
		if last {
			end -= 5 // the arrowhead
		}
		half := (left[s.column] - x) / 2
		fmt.Fprintf(&path, "C%d %d %d %d %d %d", x+half, y(r.spots[i]), x+half, y(s), end, y(s))
		if i == 0 {
			a.X, a.Y = x+half, (y(r.spots[i])+y(s))/2
		}
		if !last {
			x = left[s.column] + boxWidth
			fmt.Fprintf(&path, "H%d", x)
		}
	}
	if r.edge.dashed() && r.edge.Kind != ActsAs {
		a.Text = r.edge.text()
	}
	a.Path = path.String()
	return a
}

// labels returns the lines in a box, relative to its corner.
func (n Node) labels(rel func(string) string) []Label {
	var labels []Label
	y := padding - 4
	add := func(class string, lines ...string) {
		for _, line := range lines {
			y += lineHeights[class]
			labels = append(labels, Label{X: padding, Y: y, Class: class, Text: line})
		}
	}
	if n.Object != "" {
		add("kind", n.Object)
	}
	if name := n.fullName(); name != "" {
		add("name", broken(name, nameColumns, nameLines)...)
	}
	for _, mark := range n.marks() {
		class := "mark"
		if mark == adminMark {
			class = "alarm"
		}
		add(class, broken(mark, markColumns, 2)...)
	}
	if place := n.place(rel); place != "" {
		add("place", shortened(place, markColumns))
	}
	return labels
}

func heightOf(labels []Label) int {
	if len(labels) == 0 {
		return 2 * padding
	}
	return labels[len(labels)-1].Y + padding
}

func (n Node) fullName() string {
	if n.Namespace != "" {
		return safetext.Text(n.Namespace + "/" + n.Name)
	}
	return safetext.Text(n.Name)
}

// adminMark marks what grants or holds all permissions.
const adminMark = "effectively cluster-admin"

// marks returns remarks about a node.
func (n Node) marks() []string {
	var marks []string
	if n.Note != "" {
		marks = append(marks, safetext.Text(n.Note))
	}
	if n.Admin && n.Kind != Binding {
		marks = append(marks, adminMark)
	}
	if n.Missing {
		marks = append(marks, NotHere)
	}
	if n.Partial {
		marks = append(marks, partialMark)
	}
	return marks
}

func (n Node) place(rel func(string) string) string {
	if n.Position.Line == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", safetext.Text(rel(n.Position.File)), n.Position.Line)
}

// Title returns a short name of a node.
func (n Node) Title() string {
	title := strings.TrimSpace(safetext.Text(n.Object) + " " + n.fullName())
	if title == "" {
		return strings.Join(n.marks(), ", ")
	}
	return title
}

// Text returns the content of a node's box as one line.
func (n Node) Text(rel func(string) string) string {
	parts := []string{n.Title()}
	for _, mark := range n.marks() {
		if mark != parts[0] {
			parts = append(parts, mark)
		}
	}
	if n.Change != "" {
		parts = append(parts, string(n.Change))
	}
	if place := n.place(rel); place != "" {
		parts = append(parts, place)
	}
	return strings.Join(parts, ", ")
}

// Place returns the position of a node as file:line, or "" if it is not in the repository.
func (n Node) Place(rel func(string) string) string { return n.place(rel) }

// Marks returns remarks about a node: that it is effectively cluster-admin, is unknown, or has no effect.
func (n Node) Marks() []string { return n.marks() }

// Label returns the name of a unit.
func (u Unit) Label(rel func(string) string) string {
	if u.Kind == objects.KustomizationUnit {
		return "kustomization " + u.label(rel)
	}
	return u.label(rel)
}
