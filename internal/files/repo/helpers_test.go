package repo

import (
	"context"
	"slices"
	"sync"
	"testing"
)

func open(t *testing.T, cwd string, paths ...string) *Repo {
	t.Helper()
	r, err := Open(cwd, paths)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// walk returns the paths visited, sorted, and the skips as "path: reason".
func walk(t *testing.T, r *Repo, o WalkOptions) (visited, skipped []string) {
	t.Helper()
	var mu sync.Mutex
	skips, err := r.Walk(context.Background(), o, func(f File) {
		mu.Lock()
		defer mu.Unlock()
		visited = append(visited, f.Path)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range skips {
		skipped = append(skipped, s.Path+": "+s.Reason)
	}
	slices.Sort(visited)
	return visited, skipped
}
