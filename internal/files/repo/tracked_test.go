package repo

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTrackedIgnored(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{
		".gitignore": "ignored*\n", "ignored.yaml": "a: 1\n", "ignored.txt": "", "seen.yaml": "b: 1\n",
	})
	runGit(t, root, "init", "-q")
	runGit(t, root, "add", "-f", ".")
	put(t, root, "ignored-and-new.yaml", "c: 1\n")
	if diff := cmp.Diff([]string{"ignored.yaml"}, open(t, root).TrackedIgnored(context.Background())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := open(t, tree(t, map[string]string{"a.yaml": ""})).TrackedIgnored(context.Background()); got != nil {
		t.Errorf("without git: %v", got)
	}
}
