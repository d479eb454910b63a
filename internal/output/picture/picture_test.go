package picture

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func same(file string) string { return file }

// A name cannot leave its label: the text between the quotes has no character that mermaid or graphviz interprets.
func TestLabelsAreEscaped(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		`a"]; click n0`:  {`a#34;#93;#59; click n0`, `a\"]; click n0`},
		"style: a#b;":    {`style#58; a#35;b#59;`, `style: a#b;`},
		"<b>&amp;\\N":    {`#60;b#62;#38;amp#59;#92;N`, `&lt;b&gt;&amp;amp;\\N`},
		"`x` %% |{{y}}|": {`#96;x#96; #37;#37; #124;#123;#123;y#125;#125;#124;`, "`x` %% |{{y}}|"},
		"für 日本":         {`für 日本`, `für 日本`},
	} {
		got := [2]string{mermaidText(name), dotText(name)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", name, diff)
		}
	}
	n := Node{Kind: Role, Object: "Role", Name: "a\nb\x1b\u202e" + strings.Repeat("x", 200)}
	lines := n.lines(same)
	if len([]rune(lines[1])) > maxLine || strings.ContainsAny(lines[1], "\n\x1b\u202e") {
		t.Errorf("%q", lines[1])
	}
}

// star returns a graph of n bindings of one role; the last one makes a cluster-admin.
func star(n int) *Graph {
	g := &Graph{Units: []Unit{{Root: "prod"}}, Nodes: []Node{{ID: "role", Kind: Role, Name: "r"}}}
	for i := range n {
		who, binding := fmt.Sprintf("i%d", i), fmt.Sprintf("b%d", i)
		g.Nodes = append(g.Nodes,
			Node{ID: who, Kind: Identity, Object: "User", Name: who},
			Node{ID: binding, Kind: Binding, Object: "ClusterRoleBinding", Name: binding, Admin: i == n-1})
		g.Edges = append(g.Edges, Edge{From: who, To: binding, Kind: BoundBy}, Edge{From: binding, To: "role", Kind: Grants})
	}
	return g
}

// Bindings that a graph leaves out are counted, and those of administrators are not left out first.
func TestLimit(t *testing.T) {
	t.Parallel()
	g, err := star(10).Select(Selection{Limit: 5})
	if err != nil || len(g.Edges) != 4 || g.Left != 8 {
		t.Errorf("%d edges, %d left, %v; want 4 and 8", len(g.Edges), g.Left, err)
	}
	if g.Edges[0].From != "i0" || g.Edges[2].From != "i9" {
		t.Errorf("edges %v, want those of the first binding and of the administrator", g.Edges)
	}
	if g, _ := star(10).Select(Selection{}); len(g.Edges) != 20 || g.Left != 0 {
		t.Errorf("without a limit there are %d edges, %d left", len(g.Edges), g.Left)
	}
}

// Mermaid draws at most 500 edges and 50,000 characters.
func TestMermaidLimits(t *testing.T) {
	t.Parallel()
	g := star(2000)
	for i := range g.Nodes {
		g.Nodes[i].Note = strings.Repeat("(long)", 10)
	}
	var out bytes.Buffer
	left, err := g.Mermaid(&out, same)
	drawn := strings.Count(out.String(), "-->")
	if err != nil || out.Len() > MermaidText || drawn > MermaidEdges || drawn == 0 || left != 2000-drawn/2 {
		t.Errorf("%d characters, %d edges, %d left, %v", out.Len(), drawn, left, err)
	}
	if !strings.Contains(out.String(), fmt.Sprintf("%d more bindings are not shown", left)) {
		t.Error("the graph does not mention what is missing")
	}
}

func TestSelectSuggestsNames(t *testing.T) {
	t.Parallel()
	g := star(3)
	one, err := g.Select(Selection{Identities: []string{"i1"}})
	if err != nil || len(one.Nodes) != 3 || len(one.Edges) != 2 {
		t.Errorf("%d nodes, %d edges, %v; want an identity, its binding and the role", len(one.Nodes), len(one.Edges), err)
	}
	if _, err := g.Select(Selection{Identities: []string{"i11"}}); err == nil || !strings.Contains(err.Error(), "did you mean i1?") {
		t.Errorf("%v", err)
	}
	if _, err := g.Select(Selection{Extensions: []string{"i1"}}); err == nil {
		t.Error("an identity was treated as an extension")
	}
}
