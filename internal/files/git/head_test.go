package git

import (
	"testing"

	"github.com/salint/salint/internal/files/filestest/disk"
)

func TestIsHead(t *testing.T) {
	t.Parallel()
	root := history(t)
	disk.Git(t, root, "tag", "-a", "-m", "annotated", "v1.0.0")
	disk.Git(t, root, "tag", "before", "HEAD~1")
	r := openGit(t, root)
	for name, want := range map[string]bool{
		r.Head(): true, r.Head()[:10]: true, "v1.0.0": true, "refs/tags/v1.0.0": true, "before": false, "unknown": false, "": false,
		"--help": false, "HEAD^{/.}": false, ":/x": false,
	} {
		for range 2 { // the second answer is remembered
			if got := r.IsHead(t.Context(), name); got != want {
				t.Errorf("%q: %t, want %t", name, got, want)
			}
		}
	}
}
