package picture

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// MermaidText and MermaidEdges are the limits of mermaid by default (maxTextSize, maxEdges), which GitHub uses too.
const (
	MermaidText  = 50_000
	MermaidEdges = 500
)

const mermaidStyle = `  classDef extension fill:lavender,stroke:slateblue
  classDef identity fill:aliceblue,stroke:steelblue
  classDef binding fill:white,stroke:gray
  classDef role fill:honeydew,stroke:seagreen
  classDef admin fill:mistyrose,stroke:crimson,stroke-width:3px
  classDef noEffect fill:white,stroke:steelblue,stroke-dasharray:4
  classDef unknown fill:whitesmoke,stroke:gray,stroke-dasharray:4
`

// mermaidPods styles objects with pods in a graph that has some.
const mermaidPods = "  classDef pod fill:ivory,stroke:darkkhaki\n"

// mermaidChanges styles changes in a graph that compares two.
const mermaidChanges = `  classDef new stroke:seagreen,stroke-width:4px
  classDef removed fill:white,stroke:crimson,stroke-dasharray:2,color:dimgray
`

// Mermaid writes a flowchart for mermaid. A graph that exceeds mermaid's limits is cut further. It returns the number of
// bindings that are not shown.
func (g *Graph) Mermaid(w io.Writer, rel func(string) string) (left int, err error) {
	shown := g.limited(MermaidEdges)
	text := shown.mermaid(rel)
	for limit := len(shown.Edges); len(text) > MermaidText && limit > 1; text = shown.mermaid(rel) {
		limit = min(limit-1, limit*MermaidText/len(text))
		shown = g.limited(limit)
	}
	_, err = io.WriteString(w, text)
	return shown.Left, err
}

func (g *Graph) mermaid(rel func(string) string) string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	g.inUnits(func(i int, u Unit, nodes []Node) {
		fmt.Fprintf(&b, "  subgraph u%d[\"%s\"]\n", i, mermaidText(u.label(rel)))
		for _, n := range nodes {
			lines := n.lines(rel)
			for i, line := range lines {
				lines[i] = mermaidText(line)
			}
			left, right := mermaidShape(n.Kind)
			fmt.Fprintf(&b, "    %s%s\"%s\"%s:::%s\n", n.ID, left, strings.Join(lines, "<br/>"), right, cmp.Or(string(n.Change), n.class()))
		}
		b.WriteString("  end\n")
	})
	for _, e := range g.Edges {
		arrow := "-->"
		switch {
		case e.Change == Removed:
			arrow = "-. removed .->"
		case e.dashed():
			arrow = "-. " + e.text() + " .->"
		}
		fmt.Fprintf(&b, "  %s %s %s\n", e.From, arrow, e.To)
	}
	switch note := g.leftNote(); {
	case note != "":
		fmt.Fprintf(&b, "  left[\"%s\"]:::unknown\n", mermaidText(note))
	case len(g.Nodes) == 0:
		b.WriteString("  none[\"no extensions or bindings\"]:::unknown\n")
	}
	if slices.ContainsFunc(g.Nodes, func(n Node) bool { return n.Change != "" }) {
		b.WriteString(mermaidChanges)
	}
	if slices.ContainsFunc(g.Nodes, func(n Node) bool { return n.Kind == Pod }) {
		b.WriteString(mermaidPods)
	}
	return b.String() + mermaidStyle
}

func mermaidShape(kind NodeKind) (left, right string) {
	switch kind {
	case Extension:
		return "[[", "]]"
	case Pod:
		return "[/", "/]"
	case Identity:
		return "([", "])"
	case Role:
		return "{{", "}}"
	}
	return "[", "]"
}

// mermaidText escapes a text for double quotes. Mermaid parses labels as HTML and has its own numeric entities. It also
// looks for words such as style before a colon, so every colon is escaped.
func mermaidText(text string) string {
	return escaped(text, func(r rune) bool {
		return r > 0x7f || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(" ./-,", r)
	}, func(r rune) string { return fmt.Sprintf("#%d;", r) })
}
