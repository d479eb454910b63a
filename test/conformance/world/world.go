// Package world generates random RBAC manifests and questions about them. The same seed yields the same world.
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

// Options limit what a world can contain.
type Options struct {
	// Refused adds objects that an API server refuses.
	Refused bool
	// Builtin makes bindings refer to cluster-admin, admin, edit, and view, and roles extend these by aggregation.
	Builtin bool
	// Aggregated adds aggregated ClusterRoles.
	Aggregated bool
	// Circles makes these aggregate one another in cycles, in half of the worlds.
	Circles bool
}

// World holds the generated manifests of a cluster and the questions about it. It uses few words, so that rules and
// requests often match.
type World struct {
	Options Options
	random  *rand.Rand
	docs    []string
	made    []object // their rules
}

// New generates the manifests of a world.
func New(seed uint64, options Options) *World {
	w := &World{Options: options, random: rand.New(rand.NewPCG(seed, 0x5a11))}
	w.roles()
	w.bindings()
	w.random.Shuffle(len(w.docs), func(i, j int) { w.docs[i], w.docs[j] = w.docs[j], w.docs[i] })
	return w
}

// Docs returns the texts of the YAML documents, without markers. Their order does not matter.
func (w *World) Docs() []string { return w.docs }

// Join returns one file with the documents.
func Join(docs []string) string {
	return "---\n" + strings.Join(docs, "---\n")
}

// Chance is true in one of n cases.
func (w *World) Chance(n int) bool { return w.random.IntN(n) == 0 }

func (w *World) pick(words []string) string { return words[w.random.IntN(len(words))] }

// some picks at least so many words, possibly with duplicates.
func (w *World) some(atLeast, atMost int, words []string) []string {
	picked := make([]string, atLeast+w.random.IntN(atMost-atLeast+1))
	for i := range picked {
		picked[i] = w.pick(words)
	}
	return picked
}
