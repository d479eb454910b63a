package escalation

import (
	"fmt"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/output/picture"
)

// Picture draws the chains of an answer: identities, and arrows that name the kind of a step.
func (a Answer) Picture() *picture.Graph {
	g := &picture.Graph{}
	for _, u := range a.Units {
		if len(u.Chains) == 0 {
			continue
		}
		d := drawing{graph: g, unit: len(g.Units), goal: a.Goal, ids: map[string]string{}, drawn: map[picture.Edge]bool{}}
		g.Units = append(g.Units, picture.Unit{Root: u.View.Shown().Root, Kind: u.View.Shown().Kind, Name: u.View.Shown().Name})
		for _, chain := range u.Chains {
			d.chain(chain)
		}
	}
	return g
}

// drawing draws one unit. Chains share nodes and arrows.
type drawing struct {
	graph *picture.Graph
	unit  int
	goal  string
	ids   map[string]string
	drawn map[picture.Edge]bool
}

func (d *drawing) chain(chain Chain) {
	from := d.subject(chain.Subject)
	for i, link := range chain.Links {
		to := ""
		switch {
		case link.To != (rbac.Subject{}):
			to = d.subject(link.To)
		case i == chain.Steps-1:
			to = d.add("goal", picture.Node{Kind: picture.Role, Name: d.goal, Admin: d.goal == ClusterAdmin})
		default:
			to = d.add(from+link.Text, picture.Node{Kind: picture.Role, Name: link.Text})
		}
		e := picture.Edge{From: from, To: to, Kind: picture.EdgeKind(link.Kind)}
		if !d.drawn[e] {
			d.drawn[e] = true
			d.graph.Edges = append(d.graph.Edges, e)
		}
		from = to
	}
}

func (d *drawing) subject(s rbac.Subject) string {
	return d.add(access.SubjectName(s), picture.Node{Kind: picture.Identity, Object: s.Kind, Namespace: s.Namespace, Name: s.Name})
}

func (d *drawing) add(key string, n picture.Node) string {
	if id, known := d.ids[key]; known {
		return id
	}
	n.ID, n.Unit = fmt.Sprintf("n%d", len(d.graph.Nodes)), d.unit
	d.ids[key] = n.ID
	d.graph.Nodes = append(d.graph.Nodes, n)
	return n.ID
}
