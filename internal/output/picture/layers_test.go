package picture

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// draw returns a graph of bindings, each as in "web,batch>reader>view": subjects, binding, role.
func draw(bindings ...string) *Graph {
	g, ids := &Graph{Units: []Unit{{Root: "prod"}}}, map[string]string{}
	node := func(kind NodeKind, name string) string {
		key := string(kind) + " " + name
		if ids[key] == "" {
			ids[key] = fmt.Sprintf("n%d", len(g.Nodes))
			g.Nodes = append(g.Nodes, Node{ID: ids[key], Kind: kind, Object: "Object", Name: name})
		}
		return ids[key]
	}
	for _, binding := range bindings {
		parts := strings.Split(binding, ">")
		id := node(Binding, parts[1])
		for _, who := range strings.Split(parts[0], ",") {
			g.Edges = append(g.Edges, Edge{From: node(Identity, who), To: id, Kind: BoundBy})
		}
		g.Edges = append(g.Edges, Edge{From: id, To: node(Role, parts[2]), Kind: Grants})
	}
	return g
}

// blank returns the height of the largest part of a drawing without boxes.
func blank(d *Drawing) int {
	boxes := slices.Clone(d.Boxes)
	slices.SortFunc(boxes, func(a, b Box) int { return cmp.Compare(a.Y, b.Y) })
	most, bottom := 0, titleHeight
	for _, b := range boxes {
		most, bottom = max(most, b.Y-bottom), max(bottom, b.Y+b.Height)
	}
	return most
}

// Unconnected groups once pushed each other apart: many subjects with few bindings above many subjects with one binding
// each.
func TestNothingIsFarApart(t *testing.T) {
	t.Parallel()
	apart := draw(
		"web>web-reader>reader", "web>typo-role>raeder", "web,wbe,shopp,batch,group,bathc>typo-subject>reader",
		"web2,jane>shop-view>view", "group2>shop-groups>veiw", "default>default-edit>edit", "sre>token-makers>makers", "tenants>writers>writers",
	)
	if got := blank(apart.Draw(same)); got > 2*gapBetween {
		t.Errorf("%d pixels are blank", got)
	}
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 0))
		var bindings []string
		for i := range 1 + random.IntN(20) {
			var who []string
			for range 1 + random.IntN(6) {
				who = append(who, fmt.Sprint("who", random.IntN(40)))
			}
			bindings = append(bindings, fmt.Sprintf("%s>b%d>r%d", strings.Join(who, ","), i, random.IntN(20)))
		}
		d := draw(bindings...).Draw(same)
		checkBoxes(t, seed, d)
		if got := blank(d); got > 2*gapBetween {
			t.Errorf("%d: %d pixels are blank: %s", seed, got, bindings)
		}
	}
}

// checkBoxes checks that boxes of a column do not overlap and lie inside the drawing.
func checkBoxes(t *testing.T, seed uint64, d *Drawing) {
	t.Helper()
	bottoms := map[int]int{}
	boxes := slices.Clone(d.Boxes)
	slices.SortFunc(boxes, func(a, b Box) int { return cmp.Compare(a.Y, b.Y) })
	for _, b := range boxes {
		if b.Y < max(bottoms[b.X], titleHeight) || b.Y+b.Height > d.Height {
			t.Errorf("%d: %s lies at %d to %d, below %d, in a picture of %d", seed, b.Text, b.Y, b.Y+b.Height, bottoms[b.X], d.Height)
		}
		bottoms[b.X] = b.Y + b.Height
	}
}
