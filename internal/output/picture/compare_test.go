package picture

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects"
)

// bound returns a graph of an extension whose identity is bound to cluster-admin.
func bound(who, file string) *Graph {
	at := func(line int) objects.Position { return objects.Position{File: file, Line: line} }
	return &Graph{
		Units: []Unit{{Root: "prod"}},
		Nodes: []Node{
			{ID: "n0", Kind: Extension, Object: "ClusterExtension", Name: "x", Position: objects.Position{File: "x.yaml", Line: len(who)}},
			{ID: "n1", Kind: Identity, Object: "ServiceAccount", Name: who, Position: at(1)},
			{ID: "n2", Kind: Binding, Object: "ClusterRoleBinding", Name: who, Position: at(9)},
			{ID: "n3", Kind: Role, Object: "ClusterRole", Name: "cluster-admin"},
		},
		Edges: []Edge{{From: "n0", To: "n1", Kind: ActsAs}, {From: "n1", To: "n2", Kind: BoundBy}, {From: "n2", To: "n3", Kind: Grants}},
	}
}

// Parts of both graphs occur once, at their place after the change; removed parts are marked, unless they are not in the
// repository.
func TestCompare(t *testing.T) {
	t.Parallel()
	var got []string
	merged := Compare(bound("old", "a.yaml"), bound("newer", "b.yaml"))
	names := map[string]string{}
	for _, n := range merged.Nodes {
		names[n.ID] = n.Name
		got = append(got, fmt.Sprintf("%s %s %s:%d %s", n.Kind, n.Name, n.Position.File, n.Position.Line, n.Change))
	}
	for _, e := range merged.Edges {
		got = append(got, fmt.Sprintf("%s %s %s %s", names[e.From], e.Kind, names[e.To], e.Change))
	}
	want := []string{
		"extension x x.yaml:5 ", "identity newer b.yaml:1 new", "binding newer b.yaml:9 new", "role cluster-admin :0 ",
		"identity old a.yaml:1 removed", "binding old a.yaml:9 removed",
		"x acts as newer new", "newer bound by newer new", "newer grants cluster-admin new",
		"x acts as old removed", "old bound by old removed", "old grants cluster-admin removed",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A focused graph contains whole chains, and the number of nodes that it leaves out.
func TestFocus(t *testing.T) {
	t.Parallel()
	g := star(100)
	part := g.Focus(21)
	if len(part.Shown.Nodes) != 21 || part.Left[Identity] != 90 || part.Left[Binding] != 90 || part.Left[Role] != 0 {
		t.Errorf("%d nodes, left out %v", len(part.Shown.Nodes), part.Left)
	}
	if len(part.Shown.Edges) != 20 {
		t.Errorf("%d edges, want those of ten chains", len(part.Shown.Edges))
	}
	if whole := g.Focus(1000); len(whole.Shown.Nodes) != len(g.Nodes) || len(whole.Left) != 0 {
		t.Errorf("%d of %d nodes", len(whole.Shown.Nodes), len(g.Nodes))
	}
}

// Boxes do not overlap and lie inside the drawing, and the same graph is always drawn the same way.
func TestDraw(t *testing.T) {
	t.Parallel()
	d := star(40).Draw(same)
	for i, a := range d.Boxes {
		if a.X < 0 || a.Y < 0 || a.X+a.Width > d.Width || a.Y+a.Height > d.Height {
			t.Errorf("%s is outside", a.Text)
		}
		for _, b := range d.Boxes[:i] {
			if a.X == b.X && a.Y < b.Y+b.Height && b.Y < a.Y+a.Height {
				t.Errorf("%s and %s overlap", a.Text, b.Text)
			}
		}
	}
	if diff := cmp.Diff(d, star(40).Draw(same)); diff != "" {
		t.Error(diff)
	}
}

func TestShortened(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"short", 10, "short"}, {"abcdefghijkl", 7, "abc…jkl"}, {"日本語日本語", 7, "日…語"}, {"ééééé", 4, "éé…é"}, {"", 3, ""},
	} {
		if got := shortened(c.text, c.width); got != c.want {
			t.Errorf("shortened(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
	if got := strings.Join(broken("olm:clusterextension:a-long-name-of-an-extension", 28, 3), "|"); got != "olm:clusterextension:a-long-|name-of-an-extension" {
		t.Error(got)
	}
}
