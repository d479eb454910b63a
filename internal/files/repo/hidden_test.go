package repo

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest/disk"
)

// TestTrackedFilesAreReadAlthoughIgnored checks that a walk reads what git tracks, also in ignored folders, and counts the manifests
// that rules hide.
func TestTrackedFilesAreReadAlthoughIgnored(t *testing.T) {
	t.Parallel()
	root := disk.Tree(t, map[string]string{
		".gitignore": "ignored*\n", "ignored.yaml": "a: 1\n", "ignored.txt": "", "seen.yaml": "b: 1\n",
		"ignored-folder/sub/a.yaml": "", "ignored-folder/new.txt": "", "excluded/a.yaml": "", "excluded.yaml": "", "excluded.own.yaml": "",
	})
	disk.Git(t, root, "init", "-q")
	disk.Git(t, root, "add", "-f", ".")
	disk.Put(t, root, "ignored-and-new.yaml", "c: 1\n")
	disk.Put(t, root, "ignored-folder/new.yaml", "c: 1\n")
	disk.Put(t, root, "ignored-folder/other/new.yaml", "c: 1\n")
	var hidden Hidden
	visited, _ := walk(t, open(t, root), WalkOptions{Hidden: &hidden, Exclude: []string{"excluded", "excluded*.yaml"}, Own: func(p string) bool { return p == "excluded.own.yaml" }})
	if diff := cmp.Diff([]string{"ignored-folder/sub/a.yaml", "ignored.yaml", "seen.yaml"}, visited); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Hidden{
		Ignored: 2, Excluded: 1, ExcludedFolders: 1, Matched: map[string]bool{"excluded": true, "excluded*.yaml": true},
		Hiding: map[string]bool{"excluded": true, "excluded*.yaml": true},
	}, hidden); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestIgnoredFilesWithoutGit checks that ignored files are left out, and that this is said, if git cannot list those that it tracks.
func TestIgnoredFilesWithoutGit(t *testing.T) {
	root := disk.Tree(t, map[string]string{".gitignore": "ignored*\n", "ignored.yaml": "a: 1\n", "seen.yaml": "b: 1\n"})
	disk.Git(t, root, "init", "-q")
	disk.Git(t, root, "add", "-f", ".")
	t.Setenv("PATH", t.TempDir())
	var hidden Hidden
	visited, _ := walk(t, open(t, root), WalkOptions{Hidden: &hidden})
	if diff := cmp.Diff([]string{"seen.yaml"}, visited); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Hidden{Ignored: 1, Unknown: true}, hidden); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
