package repo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest/disk"
)

func TestWalkFindsManifests(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, map[string]string{
		"a.yaml": "1", "b.yml": "2", "c.json": "3", "D.YAML": "4", "overlay/Kustomization": "5", "deep/er/e.yaml": "6",
		"README.md": "", "script.sh": "", "kustomization": "", "empty/": "", ".hidden.yaml": "7",
		".git/config.yaml": "", "deep/.git/x.yaml": "", ".github/workflows/ci.yaml": "8",
	})
	visited, skipped := walk(t, open(t, root), WalkOptions{})
	want := []string{
		".github/workflows/ci.yaml", ".hidden.yaml", "D.YAML", "a.yaml", "b.yml", "c.json", "deep/er/e.yaml", "overlay/Kustomization",
	}
	if diff := cmp.Diff(want, visited); diff != "" || skipped != nil {
		t.Errorf("skipped %v\n%s", skipped, diff)
	}
}

func TestWalkHandsOutContent(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, map[string]string{"a.yaml": "kind: Pod\n", "empty.yaml": ""})
	var mu sync.Mutex
	got := map[string]File{}
	_, err := open(t, root).Walk(context.Background(), WalkOptions{}, func(f File) {
		mu.Lock()
		defer mu.Unlock()
		got[f.Path] = f
	})
	want := map[string]File{
		"a.yaml":     {Path: "a.yaml", Size: 10, Data: []byte("kind: Pod\n")},
		"empty.yaml": {Path: "empty.yaml", Data: []byte{}},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

func TestWalkPathsNamed(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a/notes.txt": "", "a/x.yaml": "", "b/y.yaml": "", "build/out/z.yaml": "", "build/other/w.yaml": "", ".gitignore": "build/\n",
	}
	git, plain := disk.Repository(t, files), disk.Tree(t, files)
	tests := map[string]struct {
		root  string
		paths []string
		want  []string
	}{
		"the whole repository is context":          {git, []string{"a/x.yaml"}, []string{"a/x.yaml", "b/y.yaml"}},
		"a file is read whatever its ending":       {git, []string{"a/notes.txt"}, []string{"a/notes.txt", "a/x.yaml", "b/y.yaml"}},
		"an ignored file is read when named":       {git, []string{"build/out/z.yaml"}, []string{"a/x.yaml", "b/y.yaml", "build/out/z.yaml"}},
		"an ignored folder is read when named":     {git, []string{"build/out"}, []string{"a/x.yaml", "b/y.yaml", "build/out/z.yaml"}},
		"without git the paths are the repository": {plain, []string{"a/x.yaml", "b/y.yaml"}, []string{"a/x.yaml", "b/y.yaml"}},
		"without git one file is the repository":   {plain, []string{"a/x.yaml"}, []string{"x.yaml"}},
		"without git a folder is the repository":   {plain, []string{"a"}, []string{"x.yaml"}},
		"without git .gitignore still applies":     {plain, []string{"."}, []string{"a/x.yaml", "b/y.yaml"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			visited, skipped := walk(t, open(t, test.root, test.paths...), WalkOptions{})
			if diff := cmp.Diff(test.want, visited); diff != "" || skipped != nil {
				t.Errorf("skipped %v\n%s", skipped, diff)
			}
		})
	}
}

func TestWalkExclude(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, map[string]string{
		"a/testdata/x.yaml": "", "testdata/y.yaml": "", "old/deep/z.yaml": "", "old.yaml": "", "keep/a.yaml": "",
	})
	exclude := []string{"**/testdata/**", "/old"}
	visited, skipped := walk(t, open(t, root, "."), WalkOptions{Exclude: exclude})
	if diff := cmp.Diff([]string{"keep/a.yaml", "old.yaml"}, visited); diff != "" || skipped != nil {
		t.Errorf("skipped %v\n%s", skipped, diff)
	}
	visited, skipped = walk(t, open(t, root, "old/deep/z.yaml", "keep"), WalkOptions{Exclude: exclude})
	if diff := cmp.Diff([]string{"keep/a.yaml", "old.yaml"}, visited); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"old/deep/z.yaml: excluded by the configuration"}, skipped); diff != "" {
		t.Error(diff)
	}
	_, err := open(t, root).Walk(context.Background(), WalkOptions{Exclude: []string{"a[b"}}, nil)
	if err == nil || !strings.Contains(err.Error(), `"a[b" is not a valid pattern`) {
		t.Error(err)
	}
}

func TestWalkSkips(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, map[string]string{
		"ok.yaml": "", "large.yaml": strings.Repeat("#", 2048), "data.txt": "", "dir/x.yaml": "",
		"worktree/.git": "gitdir: /repo/.git/worktrees/w\n", "worktree/ok.yaml": "",
		"submodule/.git": "gitdir: ../.git/modules/s\n", "submodule/s.yaml": "",
	})
	outside := disk.Tree(t, map[string]string{"x.yaml": "", "folder/y.yaml": "", "run.sh": ""})
	disk.Link(t, "ok.yaml", root, "inside.yaml")
	disk.Link(t, "dir", root, "dirlink")
	disk.Link(t, ".", root, "loop")
	disk.Link(t, "data.txt", root, "data.yaml")
	disk.Link(t, "gone.yaml", root, "dangling.yaml")
	disk.Link(t, "gone.sh", root, "dangling.sh")
	disk.Link(t, filepath.Join(outside, "x.yaml"), root, "away.yaml")
	disk.Link(t, filepath.Join(outside, "folder"), root, "awayfolder")
	disk.Link(t, filepath.Join(outside, "run.sh"), root, "run.sh")
	disk.Link(t, "circle.yaml", root, "circle.yaml")
	visited, skipped := walk(t, open(t, root), WalkOptions{MaxFileSize: 1024})
	if diff := cmp.Diff([]string{"dir/x.yaml", "ok.yaml", "submodule/s.yaml"}, visited); diff != "" {
		t.Error(diff)
	}
	want := []string{
		"away.yaml: the symlink leaves the repository",
		"awayfolder: the symlink leaves the repository",
		"circle.yaml: the symlink's target cannot be read",
		"dangling.yaml: the symlink's target cannot be read",
		"data.yaml: the symlink points to data.txt, which is not read as a manifest",
		"large.yaml: 2 KiB, over the limit of 1 KiB (limits.fileSize)",
		"worktree: it is another work tree of a git repository",
	}
	if diff := cmp.Diff(want, skipped); diff != "" {
		t.Error(diff)
	}
}

func TestWalkWithoutPermission(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root can read everything")
	}
	root := disk.Repository(t, map[string]string{"closed/x.yaml": "", "secret.yaml": "", "ok.yaml": ""})
	for _, name := range []string{"closed", "secret.yaml"} {
		file := filepath.Join(root, name)
		if err := os.Chmod(file, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(file, 0o755) })
	}
	visited, skipped := walk(t, open(t, root), WalkOptions{})
	if diff := cmp.Diff([]string{"ok.yaml"}, visited); diff != "" {
		t.Error(diff)
	}
	want := []string{"closed: no permission to read it", "secret.yaml: no permission to read it"}
	if diff := cmp.Diff(want, skipped); diff != "" {
		t.Error(diff)
	}
}

func TestWalkCanceled(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for _, name := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		files[name+".yaml"], files[name+"/"+name+".yaml"] = "", ""
	}
	ctx, cancel := context.WithCancel(context.Background())
	var seen atomic.Int32
	_, err := open(t, disk.Repository(t, files)).Walk(ctx, WalkOptions{Workers: 1}, func(File) {
		seen.Add(1)
		cancel()
	})
	if !errors.Is(err, context.Canceled) || seen.Load() != 1 {
		t.Errorf("%v after %d files", err, seen.Load())
	}
}

func TestWalkFindsEverythingWithAnyNumberOfWorkers(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 300 {
		name := string(rune('a'+i%26)) + string(rune('a'+i/26))
		files["flat/"+name+".yaml"] = name
		files[strings.Join(strings.Split(name+name+name, ""), "/")+"/x.yaml"] = name
	}
	root := disk.Repository(t, files)
	for _, workers := range []int{1, 2, 16} {
		visited, skipped := walk(t, open(t, root), WalkOptions{Workers: workers})
		if len(visited) != len(files) || skipped != nil {
			t.Errorf("%d workers: %d of %d files, skipped %v", workers, len(visited), len(files), skipped)
		}
	}
}

// TestWalkLeavesOutTemporaryFolders checks that a folder with the name of a temporary one is read if anything else is in it.
func TestWalkLeavesOutTemporaryFolders(t *testing.T) {
	t.Parallel()
	temporary, other := ".salint-tmp-"+strings.Repeat("A", 26), ".salint-tmp-"+strings.Repeat("B", 26)
	r := open(t, disk.Repository(t, map[string]string{
		temporary + "/lock": "", temporary + "/1": "staged", temporary + "/.gitignore": "", other + "/kustomization.yaml": "resources: []\n",
	}))
	visited, _ := walk(t, r, WalkOptions{})
	if want := []string{other + "/kustomization.yaml"}; !slices.Equal(want, visited) {
		t.Errorf("visited %q, want %q", visited, want)
	}
	if others, _ := walk(t, r, WalkOptions{Others: true}); len(others) > 0 {
		t.Errorf("temporary files are read: %q", others)
	}
}
