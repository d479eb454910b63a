package picture

import "github.com/salint/salint/internal/kube/objects"

// NodeKind is what a node represents.
type NodeKind string

// The kinds of nodes, in the order of an edge: each leads to the next.
const (
	Extension NodeKind = "extension"
	// Pod is an object that makes pods.
	Pod      NodeKind = "pod"
	Identity NodeKind = "identity"
	Binding  NodeKind = "binding"
	Role     NodeKind = "role"
)

// Node is an object or identity in the graph.
type Node struct {
	ID   string
	Kind NodeKind
	// Unit is the index of its unit in Graph.Units.
	Unit int
	// Object is the kind of the Kubernetes object or of the subject; Namespace and Name are its name.
	Object, Namespace, Name string
	// Note is a remark, such as where a binding grants or which target an extension has.
	Note string
	// Position is zero for what is not in the repository.
	Position objects.Position
	// Admin is true if it holds or grants all permissions of a cluster-admin; Unknown if its rules or its identity are
	// unknown; Partial if roles outside the repository can add to its rules; NoEffect for an identity that an extension names
	// but OLM does not use; Missing for an account that no manifest of the repository creates.
	Admin, Unknown, Partial, NoEffect, Missing bool
	// Change is "" unless the picture compares two. See Compare.
	Change Change
}

// EdgeKind is how a node leads to the next.
type EdgeKind string

// The kinds of edges.
const (
	ActsAs  EdgeKind = "acts as"
	Member  EdgeKind = "member of"
	BoundBy EdgeKind = "bound by"
	Grants  EdgeKind = "grants"
	// NoEffect leads from an extension to the identity that it names but OLM does not use.
	NoEffect EdgeKind = "no effect"
	// Aggregates leads from an aggregated role to a role in the repository whose rules it takes.
	Aggregates EdgeKind = "aggregates"
	// RunsAs leads from pods to their account.
	RunsAs EdgeKind = "runs as"
)

// dashed returns whether edges of a kind are not grants.
func (k EdgeKind) dashed() bool { return k != BoundBy && k != Grants }

// Edge leads from one node to another, by their IDs.
type Edge struct {
	From, To string
	Kind     EdgeKind
	Change   Change // see Node
	// Refused is true for an edge of a binding that the API server rejects. See rbac.Binding.
	Refused bool
	// Possible is true for the grant of a role that is only possibly on the same cluster.
	Possible bool
}

// dashed returns whether an edge is not a grant, or may not be one.
func (e Edge) dashed() bool { return e.Refused || e.Possible || e.Kind.dashed() }

// text is the text of an edge that is not a grant, or may not be one.
func (e Edge) text() string {
	switch {
	case e.Refused:
		return "refused"
	case e.Possible:
		return "possibly"
	}
	return string(e.Kind)
}

// Unit is a deployment unit in the graph.
type Unit struct {
	Root string
	Kind objects.UnitKind
	// Name is the name of the unit if its folder does not identify it, because several units can have the same folder.
	Name string
}

// Graph is the graph of who is granted what. Nodes and edges have the same order in every run.
type Graph struct {
	Units []Unit
	Nodes []Node
	Edges []Edge
	// Left is how many bindings and objects with pods are not shown, to keep the graph readable.
	Left int
	// leftPods is true if some of them are objects with pods.
	leftPods bool
}

// Notes that nodes carry.
const (
	// NearestTo begins the note of an identity that is one of several with its name.
	NearestTo = "nearest to "
	// PlainFiles is the name of the unit of plain files.
	PlainFiles = "plain files"
	// NotHere is the note of a role or account that a binding names and no manifest creates.
	NotHere = "not in the repository"
	// NotInCluster is that of a role of a known cluster. Another cluster can have it.
	NotInCluster = "not in the repository for this cluster"
	// Possible is the note of a role that only units have of which it is not known whether the same cluster gets them.
	Possible = "of another unit; whether one cluster gets both is not known"
	// partialMark is the note of a role whose rules may be incomplete.
	partialMark = "other roles can add to it"
)
