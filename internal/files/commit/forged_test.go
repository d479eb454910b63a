package commit

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest/disk"
)

// tempNamed is a name that a temporary folder can have.
func tempNamed(letter string) string { return tempPrefix + strings.Repeat(letter, randomLength) }

// TestForgedFolders puts temporary folders, and lists of further ones, into a repository that salint has not written. Nothing but files
// with the names of temporary ones, in real folders with the name of a temporary one, is removed: not in a folder outside, not behind a
// symlink, not in .git, and nothing that git tracks.
func TestForgedFolders(t *testing.T) {
	t.Parallel()
	outside := disk.Tree(t, map[string]string{tempNamed("A") + "/1": "mine", "1": "mine", "x.yaml": "mine"})
	files := map[string]string{
		"x.yaml":        "mine",
		"1":             "mine",
		"record":        "mine",
		"numbers/1":     "mine",
		"numbers/lock":  "mine",
		"a/b/x.yaml":    "mine",
		".hidden/1":     "mine",
		"tracked/1":     "mine",
		"sub/.git/HEAD": "ref: refs/heads/main\n",

		tempPrefix + "short/1":                      "mine",
		tempNamed("B") + "/1.yaml":                  "mine",
		tempNamed("C") + "/01":                      "mine",
		tempNamed("D") + "/deeper/1":                "mine",
		tempNamed("E") + "/-0":                      "mine",
		tempNamed("F") + "x/1":                      "mine",
		"a/" + tempNamed("G") + "/1.yaml":           "mine",
		"tracked/" + tempNamed("H") + "/1":          "tracked",
		strings.ToUpper(tempNamed("i")) + "/record": "mine",
	}
	root := disk.Tree(t, files)
	disk.Git(t, root, "init", "-q")
	disk.Git(t, root, "add", "-f", "tracked")
	disk.Link(t, outside, root, "link")
	disk.Link(t, "tracked", root, "beside")
	disk.Link(t, filepath.Join(outside, tempNamed("A")), root, tempNamed("J"))
	disk.Put(t, root, tempNamed("K")+"/2", "staged")
	disk.Link(t, "../x.yaml", root, tempNamed("K")+"/1")
	disk.Put(t, root, ".git/"+tempNamed("L")+"/1", "of git")

	list := []string{
		"", ".", "..", "/", "a", "a/b", "numbers", ".git", ".hidden", "tracked", "x.yaml", "no", "\x00", strings.Repeat("a/", 3000) + "a",
		outside, outside + "/" + tempNamed("A"), "../" + filepath.Base(outside) + "/" + tempNamed("A"), "link", "link/" + tempNamed("A"), tempNamed("J"),
		"a/../numbers", "./numbers", "numbers/", ".git/" + tempNamed("L"), "a/" + tempNamed("G"), "tracked/" + tempNamed("H"), "beside/" + tempNamed("H"),
		tempNamed("B"), tempNamed("C"), tempNamed("K"), "sub/.git", ".GIT/" + tempNamed("L"),
	}
	forged := tempNamed("Z")
	disk.Put(t, root, forged+"/"+foldersName, strings.Join(list, "\n")+"\n")
	disk.Put(t, root, forged+"/"+recordName, "forged")
	disk.Put(t, root, forged+"/1", "staged")
	own := tempNamed("Y")
	disk.Put(t, root, own+"/"+foldersName, "a/"+tempNamed("X")+"\n")
	disk.Put(t, root, "a/"+tempNamed("X")+"/1", "staged") // this one is as salint leaves it

	before := contents(t, root)
	maps.DeleteFunc(before, func(file, _ string) bool {
		return strings.HasPrefix(file, forged) || strings.HasPrefix(file, own) || strings.HasPrefix(file, "a/"+tempNamed("X"))
	})
	ofGit, others := gitFiles(t, root), contents(t, outside)
	if records := recoverAll(t, root); !slices.Equal(records, []string{"forged"}) {
		t.Errorf("records %q", records)
	}
	for name, diff := range map[string]string{
		"the repository": cmp.Diff(before, contents(t, root)), "the folder outside": cmp.Diff(others, contents(t, outside)), ".git": cmp.Diff(ofGit, gitFiles(t, root)),
	} {
		if diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	if to, err := os.Readlink(filepath.Join(root, tempNamed("K"), "1")); err != nil || to != "../x.yaml" {
		t.Errorf("a symlink in a folder of that name is gone: %v", err)
	}
}

// gitFiles returns the files below .git.
func gitFiles(t *testing.T, root string) map[string]string {
	t.Helper()
	return contents(t, filepath.Join(root, ".git"))
}

// TestForgedWhileRecovering exchanges the folder, and files in it, for others between the look at the folder and each removal.
func TestForgedWhileRecovering(t *testing.T) {
	t.Parallel()
	exchanges := map[string]func(t *testing.T, root, folder string){
		"a symlink in place of the folder": func(t *testing.T, root, folder string) {
			must(t, os.Rename(filepath.Join(root, folder), filepath.Join(root, "moved")))
			disk.Link(t, "numbers", root, folder)
		},
		"a folder in place of the folder": func(t *testing.T, root, folder string) {
			must(t, os.Rename(filepath.Join(root, folder), filepath.Join(root, "moved")))
			must(t, os.Rename(filepath.Join(root, "numbers"), filepath.Join(root, folder)))
			disk.Link(t, folder, root, "numbers")
		},
		"a symlink in place of a file": func(t *testing.T, root, folder string) {
			must(t, os.RemoveAll(filepath.Join(root, folder, "2")))
			disk.Link(t, "../numbers/2", root, folder+"/2")
		},
		"a further file": func(t *testing.T, root, folder string) { disk.Put(t, root, folder+"/mine.yaml", "mine") },
	}
	for name, exchange := range exchanges {
		for n := range 3 {
			t.Run(fmt.Sprintf("%s %d", name, n), func(t *testing.T) {
				folder := tempNamed("A")
				root := disk.Repository(t, map[string]string{"numbers/1": "mine", "numbers/2": "mine", folder + "/1": "", folder + "/2": "", folder + "/record": ""})
				r := openWriter(t, root)
				left := n
				r.Probe = func(operation, name string) error {
					if left--; left == -1 {
						exchange(t, root, folder)
					}
					return nil
				}
				_, _ = r.Recover(context.Background()) // that something stays is an error, and right
				_ = r.Commit(context.Background(), Batch{})
				r.Release()
				for _, file := range []string{"numbers/1", "numbers/2"} {
					if got := read(t, filepath.Join(root, file)); got != "mine" {
						t.Errorf("%s has %q", file, got)
					}
				}
				if name == "a further file" && read(t, filepath.Join(root, folder, "mine.yaml")) != "mine" {
					t.Error("the further file is gone")
				}
			})
		}
	}
}
