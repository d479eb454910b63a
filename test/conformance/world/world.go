// Package world makes up RBAC manifests and questions about them, at random and the same for the same seed.
package world

import (
	"math/rand/v2"
	"strings"
)

// Identity is the user that the API server sees, with all groups. A question about a group alone has no user.
type Identity struct {
	User   string
	Groups []string
}

// Request is one question to an authorizer. With a Path it is about a URL, otherwise about a resource.
type Request struct {
	Verb, Group, Resource, Subresource, Name, Namespace, Path string
}

// Options say what a world may contain.
type Options struct {
	// Refused lets in objects that an API server refuses.
	Refused bool
	// Builtin lets bindings refer to cluster-admin, admin, edit and view, and roles add to these by aggregation.
	Builtin bool
	// Aggregated lets in aggregated ClusterRoles.
	Aggregated bool
	// Circles lets these aggregate one another in circles, in half of the worlds.
	Circles bool
}

// World makes up the manifests of a cluster and the questions about it. The words it chooses from are few, so that
// rules and requests often meet.
type World struct {
	Options Options
	random  *rand.Rand
	docs    []string
	made    []object // the rules in them
}

// New makes up the manifests of a world.
func New(seed uint64, options Options) *World {
	w := &World{Options: options, random: rand.New(rand.NewPCG(seed, 0x5a11))}
	w.roles()
	w.bindings()
	w.random.Shuffle(len(w.docs), func(i, j int) { w.docs[i], w.docs[j] = w.docs[j], w.docs[i] })
	return w
}

// Docs are the texts of the YAML documents, without markers. Their order is of no importance.
func (w *World) Docs() []string { return w.docs }

// Join makes one file of documents.
func Join(docs []string) string {
	return "---\n" + strings.Join(docs, "---\n")
}

// Chance is true in one of n cases.
func (w *World) Chance(n int) bool { return w.random.IntN(n) == 0 }

func (w *World) pick(words []string) string { return words[w.random.IntN(len(words))] }

// some picks at least so many words, repeated ones included.
func (w *World) some(atLeast, atMost int, words []string) []string {
	picked := make([]string, atLeast+w.random.IntN(atMost-atLeast+1))
	for i := range picked {
		picked[i] = w.pick(words)
	}
	return picked
}
