package picture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/objects"
)

// maxLine is the maximum length of a line of a label.
const maxLine = 80

// lines returns the label of a node: its kind, its name, and remarks.
func (n Node) lines(rel func(string) string) []string {
	name := n.Name
	if n.Namespace != "" {
		name = n.Namespace + "/" + n.Name
	}
	var lines []string
	for _, line := range []string{n.Object, name, n.Note} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	for _, mark := range []struct {
		on   bool
		text string
	}{
		{n.Admin && n.Kind != Binding, adminMark},
		{n.Missing, NotHere},
		{n.Partial, partialMark},
		{n.Change != "", string(n.Change)},
	} {
		if mark.on {
			lines = append(lines, mark.text)
		}
	}
	if n.Position.Line > 0 {
		lines = append(lines, fmt.Sprintf("%s:%d", rel(n.Position.File), n.Position.Line))
	}
	for i, line := range lines {
		lines[i] = cut(safetext.Text(line))
	}
	return lines
}

func cut(line string) string {
	runes := []rune(line)
	if len(runes) <= maxLine {
		return line
	}
	return string(runes[:maxLine-1]) + "…"
}

// class returns the style of a node.
func (n Node) class() string {
	switch {
	case n.Admin:
		return "admin"
	case n.Unknown || n.Missing:
		return "unknown"
	case n.NoEffect:
		return "noEffect"
	}
	return string(n.Kind)
}

// boxClass returns the class of a box. A missing account that is effectively cluster-admin gets a dashed box that stays
// red.
func (n Node) boxClass() string {
	if n.Missing && n.Admin {
		return n.class() + " missing"
	}
	return n.class()
}

func (u Unit) label(rel func(string) string) string {
	if u.Kind == objects.PlainUnit {
		return PlainFiles
	}
	if slices.Contains(objects.NamedUnits, u.Kind) {
		return cut(safetext.Text(u.Name))
	}
	if u.Kind == objects.ClusterUnit {
		return "cluster " + cut(safetext.Text(u.Name))
	}
	return cut(safetext.Text(rel(u.Root)))
}

// leftNote returns how many bindings, and objects with pods, are not shown.
func (g *Graph) leftNote() string {
	if g.Left == 0 {
		return ""
	}
	bindings := "bindings are"
	switch {
	case g.leftPods:
		bindings = "bindings and pods are"
	case g.Left == 1:
		bindings = "binding is"
	}
	return fmt.Sprintf("%d more %s not shown: use --limit, --extension or --identity", g.Left, bindings)
}

// inUnits calls visit with the nodes of each unit.
func (g *Graph) inUnits(visit func(i int, u Unit, nodes []Node)) {
	nodes := make([][]Node, len(g.Units))
	for _, n := range g.Nodes {
		nodes[n.Unit] = append(nodes[n.Unit], n)
	}
	for i, unit := range g.Units {
		if len(nodes[i]) > 0 {
			visit(i, unit, nodes[i])
		}
	}
}

// escaped replaces every character that is not plain with the result of escape.
func escaped(text string, plain func(r rune) bool, escape func(r rune) string) string {
	var b strings.Builder
	for _, r := range text {
		if plain(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(escape(r))
		}
	}
	return b.String()
}
