package picture

import "github.com/salint/salint/internal/kube/objects"

// NodeKind says what a node stands for.
type NodeKind string

// The kinds of nodes, in the order of an edge: each leads to the next.
const (
	Extension NodeKind = "extension"
	Identity  NodeKind = "identity"
	Binding   NodeKind = "binding"
	Role      NodeKind = "role"
)

// Node is a thing in the picture.
type Node struct {
	ID   string
	Kind NodeKind
	// Unit is the place of its unit in Graph.Units.
	Unit int
	// Object is the kind of the Kubernetes object, or of the subject; Namespace and Name are its name.
	Object, Namespace, Name string
	// Note says what should be known about it: where a binding grants, for which target an extension is judged.
	Note string
	// Position is zero for what is not in the repository.
	Position objects.Position
	// Admin tells that it is, or grants, all of a cluster-admin in effect; Unknown that its rules, or who it is, are not
	// known, and Partial that roles outside the repository may add to its rules. Idle tells of an identity that an
	// extension names and OLM does not act as. Missing tells of an account that no manifest of the repository makes.
	Admin, Unknown, Partial, Idle, Missing bool
	// Change is "" unless the picture compares two. See Compare.
	Change Change
}

// EdgeKind says how a node leads to the next.
type EdgeKind string

// The kinds of edges.
const (
	ActsAs  EdgeKind = "acts as"
	Member  EdgeKind = "member of"
	BoundBy EdgeKind = "bound by"
	Grants  EdgeKind = "grants"
	// NoEffect leads from an extension to the identity that it names and OLM does not act as.
	NoEffect EdgeKind = "no effect"
	// Aggregates leads from an aggregated role to one of the repository that its rules are taken from.
	Aggregates EdgeKind = "aggregates"
)

// dashed tells of the kinds of edges that are no grants.
func (k EdgeKind) dashed() bool { return k != BoundBy && k != Grants }

// Edge leads from one node to another, by their IDs.
type Edge struct {
	From, To string
	Kind     EdgeKind
	Change   Change // see Node
	// Refused tells that it is of a binding that the API server refuses. See rbac.Binding.
	Refused bool
}

// dashed tells of the edges that are no grants, or of which it is not known that they are.
func (e Edge) dashed() bool { return e.Refused || e.Kind.dashed() }

// refusedText is what an edge of a refused binding says instead of its kind.
const refusedText = "refused"

// Unit is a deployment unit in the picture.
type Unit struct {
	Root string
	Kind objects.UnitKind
	// Name is how the unit is called where its folder does not say which it is: there may be several of it.
	Name string
}

// Graph is the picture. Nodes and edges are in an order that is the same in every run.
type Graph struct {
	Units []Unit
	Nodes []Node
	Edges []Edge
	// Left is how many bindings were left out to keep it readable.
	Left int
}

// Notes that nodes carry.
const (
	// NearestTo begins the note of an identity that is one of several of its name.
	NearestTo = "nearest to "
	// NotHere is the note of a role or account that a binding names and no manifest creates.
	NotHere = "not in the repository"
)
