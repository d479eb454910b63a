package picture

import (
	"fmt"
	"io"
	"strings"
)

var dotStyles = map[string]string{
	"extension": `shape=component, fillcolor=lavender`,
	"pod":       `shape=box3d, fillcolor=ivory`,
	"identity":  `shape=box, style="rounded,filled", fillcolor=aliceblue`,
	"binding":   `shape=box, fillcolor=white`,
	"role":      `shape=hexagon, fillcolor=honeydew`,
	"admin":     `shape=box, fillcolor=mistyrose, color=crimson, penwidth=3`,
	"idle":      `shape=box, style="rounded,dashed,filled", fillcolor=white`,
	"unknown":   `shape=box, style="dashed,filled", fillcolor=whitesmoke`,
}

// Dot writes a digraph for graphviz.
func (g *Graph) Dot(w io.Writer, rel func(string) string) error {
	var b strings.Builder
	b.WriteString("digraph salint {\n  rankdir=LR;\n  node [style=filled, fontname=\"sans-serif\"];\n")
	g.inUnits(func(i int, u Unit, nodes []Node) {
		fmt.Fprintf(&b, "  subgraph cluster_%d {\n    label=\"%s\";\n", i, dotText(u.label(rel)))
		for _, n := range nodes {
			lines := n.lines(rel)
			for i, line := range lines {
				lines[i] = dotText(line)
			}
			fmt.Fprintf(&b, "    %s [label=\"%s\", %s];\n", n.ID, strings.Join(lines, `\n`), dotStyles[n.class()])
		}
		b.WriteString("  }\n")
	})
	for _, e := range g.Edges {
		attributes := ""
		if e.dashed() {
			attributes = fmt.Sprintf(" [style=dashed, label=\"%s\"]", e.text())
		}
		fmt.Fprintf(&b, "  %s -> %s%s;\n", e.From, e.To, attributes)
	}
	switch note := g.leftNote(); {
	case note != "":
		fmt.Fprintf(&b, "  left [label=\"%s\", %s];\n", dotText(note), dotStyles["unknown"])
	case len(g.Nodes) == 0:
		fmt.Fprintf(&b, "  none [label=\"no extensions or bindings\", %s];\n", dotStyles["unknown"])
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// dotText escapes a text for double quotes. In labels, Graphviz interprets escapes such as \N, and HTML entities.
func dotText(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}
