package change

import (
	"bytes"
	"context"
	"sync"

	"github.com/salint/salint/internal/ask/change/policies"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
)

// ConstraintKinds returns the kinds of the constraints of Gatekeeper in a tree. Each template defines another kind, and the
// repository need not contain the template.
func ConstraintKinds(ctx context.Context, tree loader.Tree) (map[string][]string, error) {
	var mu sync.Mutex
	kinds := map[string][]string{}
	_, err := tree.Walk(ctx, repo.WalkOptions{}, func(f repo.File) {
		if !bytes.Contains(f.Data, []byte(policies.ConstraintGroup)) {
			return
		}
		for _, doc := range manifest.Scan(f.Path, f.Data).Docs {
			if bytes.Contains(doc.Bytes(), []byte(policies.ConstraintGroup)) && doc.Kind() != "" {
				mu.Lock()
				kinds[doc.Kind()] = []string{policies.ConstraintGroup}
				mu.Unlock()
			}
		}
	})
	return kinds, err
}
