package picture

import (
	"io"
	"slices"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/objects"
)

// schemaVersion changes only with breaking changes.
const schemaVersion = "1"

// A graph in JSON. Names and shape are promised to users: only add. IDs are valid within one graph.
type (
	jsonGraph struct {
		SchemaVersion string     `json:"schemaVersion"`
		Units         []jsonUnit `json:"units"`
		Nodes         []jsonNode `json:"nodes"`
		Edges         []jsonEdge `json:"edges"`
		// Left is how many bindings are not shown.
		Left   int      `json:"left"`
		Doubts []string `json:"doubts"`
	}
	jsonUnit struct {
		Unit string `json:"unit"`
		Kind string `json:"kind"`
		Name string `json:"name,omitempty"`
	}
	jsonNode struct {
		ID        string `json:"id"`
		Kind      string `json:"kind"`
		Unit      int    `json:"unit"`
		Object    string `json:"object"`
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
		Note      string `json:"note"`
		File      string `json:"file"`
		Line      int    `json:"line"`
		Admin     bool   `json:"clusterAdmin"`
		Unknown   bool   `json:"unknown"`
		Partial   bool   `json:"partial"`
		NoEffect  bool   `json:"noEffect"`
		Missing   bool   `json:"missing,omitempty"`
	}
	jsonEdge struct {
		From string `json:"from"`
		To   string `json:"to"`
		Kind string `json:"kind"`
		// Refused is true for an edge of a binding that the API server rejects.
		Refused bool `json:"refused,omitempty"`
		// Certainty is "possible" for the grant of a role that is only possibly on the same cluster.
		Certainty string `json:"certainty,omitempty"`
	}
)

// JSON writes a graph as JSON. Doubts are what was not read, one line each.
func (g *Graph) JSON(w io.Writer, rel func(string) string, doubts []string) error {
	out := jsonGraph{
		SchemaVersion: schemaVersion, Left: g.Left, Doubts: append([]string{}, doubts...),
		Units: make([]jsonUnit, len(g.Units)), Nodes: make([]jsonNode, len(g.Nodes)), Edges: make([]jsonEdge, len(g.Edges)),
	}
	for i, u := range g.Units {
		out.Units[i] = jsonUnit{Unit: rel(u.Root), Kind: string(u.Kind)}
		if u.Kind == objects.ClusterUnit {
			out.Units[i].Unit = u.Name // a name of the settings, or a root with a destination, is no path
		}
		if slices.Contains(objects.NamedUnits, u.Kind) {
			out.Units[i].Name = u.Name
		}
	}
	for i, n := range g.Nodes {
		out.Nodes[i] = jsonNode{
			ID: n.ID, Kind: string(n.Kind), Unit: n.Unit, Object: n.Object, Namespace: n.Namespace, Name: n.Name, Note: n.Note,
			Line: n.Position.Line, Admin: n.Admin, Unknown: n.Unknown, Partial: n.Partial, NoEffect: n.NoEffect, Missing: n.Missing,
		}
		if n.Position.File != "" {
			out.Nodes[i].File = rel(n.Position.File)
		}
	}
	for i, e := range g.Edges {
		out.Edges[i] = jsonEdge{From: e.From, To: e.To, Kind: string(e.Kind), Refused: e.Refused}
		if e.Possible {
			out.Edges[i].Certainty = "possible"
		}
	}
	return safetext.JSON(w, out)
}
