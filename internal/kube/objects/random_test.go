package objects_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
)

// randomTree distributes a few names over a few folders, so that they collide.
func randomTree(r *rand.Rand) tree {
	folders := []string{"", "a/", "b/", "a/a/", "a/b/", "b/a/", "a/a/a/", "ab/"}
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	tr := tree{}
	for i := range 1 + r.IntN(14) {
		file := fmt.Sprintf("%sf%d.yaml", pick(folders...), i)
		docs := []string{}
		for range 1 + r.IntN(2) {
			kind := pick("ServiceAccount", "Pod", "Secret")
			version := pick("v1", "v1", "example.com/v1")
			docs = append(docs, manifestOf(version, kind, pick("", "x", "y"), pick("n", "m")))
		}
		tr[file] = strings.Join(docs, "---\n")
	}
	return tr
}

// eachRandomTree checks a property on many small repositories. A failure prints the seed.
func eachRandomTree(t *testing.T, check func(t *testing.T, r *rand.Rand, u *objects.Unit)) {
	t.Helper()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		check(t, r, objectstest.Plain(t, randomTree(r)))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
