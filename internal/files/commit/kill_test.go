package commit

import (
	"context"
	"errors"
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

var errKilled = errors.New("killed")

// killAt returns a probe under which nothing more reaches the disk from the n-th operation on, as if the process were killed.
func killAt(n int) func(string, string) error {
	return func(string, string) error {
		if n--; n < 0 {
			return errKilled
		}
		return nil
	}
}

// steps are writes of which two change the same file.
func steps() []Write {
	return append(changes(), Write{Path: "dir/kustomization.yaml", Before: []byte("k2"), After: []byte("k3"), Order: OrderRemoval})
}

// TestKill kills the writing before every operation: every file is whole, the writes that were made are the first ones, and the
// next run removes the temporary files and gets the record.
func TestKill(t *testing.T) {
	t.Parallel()
	states := []map[string]string{maps.Clone(start)}
	for _, w := range []Write{steps()[3], steps()[4], steps()[2], steps()[1], steps()[0], steps()[5]} {
		state := maps.Clone(states[len(states)-1])
		if state[w.Path] = string(w.After); w.After == nil {
			delete(state, w.Path)
		}
		states = append(states, state)
	}
	kills := 0
	for n := 0; ; n++ {
		root := disk.Repository(t, start)
		r := openWriter(t, root)
		r.Probe = killAt(n)
		err := r.Commit(context.Background(), Batch{Writes: steps(), Record: []byte("the record")})
		r.Release()
		if err == nil {
			break
		}
		kills++
		if at := stateOf(root, t, states); at < 0 {
			t.Fatalf("killed at %d: %v", n, contents(t, root))
		}
		records := recoverAll(t, root)
		// If another test starts git at this moment, its child holds the lock of the killed run until it executes git.
		for range 100 {
			if len(temporary(t, root)) > 0 {
				records = append(records, recoverAll(t, root)...)
			}
		}
		if at := stateOf(root, t, states); at > 0 && at < len(states)-1 && !cmp.Equal(records, []string{"the record"}) {
			t.Errorf("killed at %d: record %q", n, records)
		}
		if left := temporary(t, root); len(left) > 0 {
			t.Errorf("killed at %d: the next run leaves %v", n, left)
		}
	}
	t.Logf("%d kills", kills)
	if kills < 40 {
		t.Errorf("only %d kills", kills)
	}
}

// stateOf returns which of some states a repository has, apart from temporary files; -1 if it has none of them.
func stateOf(root string, t *testing.T, states []map[string]string) int {
	t.Helper()
	now := contents(t, root)
	maps.DeleteFunc(now, func(file, _ string) bool { return strings.HasPrefix(file, tempPrefix) })
	return slices.IndexFunc(states, func(state map[string]string) bool { return maps.Equal(state, now) })
}

// recoverAll runs what the next run does, and returns the records.
func recoverAll(t *testing.T, root string) (records []string) {
	t.Helper()
	r := openWriter(t, root)
	defer r.Release()
	all, err := r.Recover(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range all {
		records = append(records, string(record))
	}
	if err := r.Commit(context.Background(), Batch{}); err != nil {
		t.Fatal(err)
	}
	return records
}

func temporary(t *testing.T, root string) (left []string) {
	t.Helper()
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tempPrefix) {
			left = append(left, e.Name())
		}
	}
	return left
}

// TestCanceled ends the context before every operation: until the first move nothing is written, and after it the error says
// what was. Temporary files are removed; the record stays if something is left to do.
func TestCanceled(t *testing.T) {
	t.Parallel()
	stop := errors.New("stop")
	for n := range 200 {
		root := disk.Repository(t, start)
		r := openWriter(t, root)
		ctx, cancel := context.WithCancelCause(context.Background())
		r.Probe = func(string, string) error {
			if n--; n < 0 {
				cancel(stop)
			}
			return nil
		}
		err := r.Commit(ctx, Batch{Writes: steps(), Record: []byte("the record")})
		r.Release()
		if err == nil {
			return
		}
		var partial *PartialError
		switch isPartial := errors.As(err, &partial); {
		case !errors.Is(err, stop):
			t.Fatal(err)
		case !isPartial && (!strings.HasSuffix(err.Error(), "nothing was written") || len(temporary(t, root)) > 0 || !cmp.Equal(contents(t, root), start)):
			t.Errorf("%v: %v", err, contents(t, root))
		case isPartial && len(partial.Done)+len(partial.NotDone) != 5:
			t.Error(err)
		}
		records := recoverAll(t, root)
		if (partial != nil) != (len(records) > 0) {
			t.Errorf("%v: records %q", err, records)
		}
	}
	t.Error("the writing never ends")
}

// TestEditsOfOthers lets another program change, replace, delete, or create each file directly before the operation that moves
// it. Nothing of it is lost, and nothing is written after it.
func TestEditsOfOthers(t *testing.T) {
	t.Parallel()
	edits := map[string]func(t *testing.T, file string){
		"change in place": func(t *testing.T, file string) { overwrite(t, file, "mine") },
		"append":          func(t *testing.T, file string) { overwrite(t, file, read(t, file)+"mine") },
		"truncate":        func(t *testing.T, file string) { overwrite(t, file, "") },
		"replace": func(t *testing.T, file string) {
			overwrite(t, file+"~", "mine")
			must(t, os.Rename(file+"~", file))
		},
		"replace with a link": func(t *testing.T, file string) {
			os.Remove(file)
			must(t, os.Symlink("elsewhere", file))
		},
		"delete": func(t *testing.T, file string) { os.Remove(file) },
	}
	tries := 0
	for name, edit := range edits {
		for i := range 4 {
			for _, operation := range []string{"exchange", "link", "remove"} {
				for _, w := range changes() {
					if isNew := w.Before == nil; isNew && name == "delete" || isNew != (operation == "link") || (w.After == nil) != (operation == "remove") {
						continue
					}
					t.Run(fmt.Sprintf("%s/%s %s %d", name, operation, filepath.Base(w.Path), i), func(t *testing.T) {
						editBefore(t, operation, w.Path, edit)
					})
					tries++
				}
			}
		}
	}
	t.Logf("0 edits lost in %d tries", tries)
	if tries < 100 {
		t.Errorf("only %d tries", tries)
	}
}

// editBefore commits while another program makes an edit directly before one operation.
func editBefore(t *testing.T, operation, file string, edit func(*testing.T, string)) {
	root := disk.Repository(t, start)
	r := openWriter(t, root)
	var edited map[string]string
	r.Probe = func(op, name string) error {
		if op == operation && name == file && edited == nil {
			edit(t, filepath.Join(root, file))
			edited = entries(t, root)
		}
		return nil
	}
	err := commitAll(r, changes())
	var changed *ChangedError
	if !errors.As(err, &changed) || changed.Path != file {
		t.Fatalf("the error does not name %s: %v", file, err)
	}
	if diff := cmp.Diff(edited, entries(t, root)); diff != "" {
		t.Errorf("the edit is lost, or something was written after it (-edited +now):\n%s", diff)
	}
}

// entries returns every file and link, without temporary ones.
func entries(t *testing.T, root string) map[string]string {
	t.Helper()
	all := contents(t, root)
	maps.DeleteFunc(all, func(file, _ string) bool { return strings.HasPrefix(file, tempPrefix) })
	for file := range start {
		if to, err := os.Readlink(filepath.Join(root, file)); err == nil {
			all[file] = "link to " + to
		}
	}
	return all
}

func overwrite(t *testing.T, file, content string) {
	t.Helper()
	must(t, os.WriteFile(file, []byte(content), 0o644))
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(data)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestRecoverLeavesOthersAlone does not touch the folder of a run that goes on, a folder with other files, or one that git tracks.
func TestRecoverLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	root := disk.Tree(t, start)
	disk.Git(t, root, "init", "-q")
	tracked, other := tempPrefix+strings.Repeat("A", randomLength), tempPrefix+strings.Repeat("B", randomLength)
	disk.Put(t, root, tracked+"/record", "forged")
	disk.Put(t, root, other+"/kustomization.yaml", "resources: []\n")
	disk.Git(t, root, "add", "-f", tracked)
	running := openWriter(t, root)
	dir, err := running.newTempFolder(".")
	must(t, err)
	before := contents(t, root)
	if records := recoverAll(t, root); records != nil {
		t.Errorf("records %q", records)
	}
	if diff := cmp.Diff(before, contents(t, root)); diff != "" {
		t.Error(diff)
	}
	must(t, dir.close())
}

// TestGitIgnoresTemporaryFiles asks git about the repository while files are staged.
func TestGitIgnoresTemporaryFiles(t *testing.T) {
	t.Parallel()
	root := disk.Tree(t, start)
	disk.Git(t, root, "init", "-q")
	disk.Git(t, root, "add", ".")
	r := openWriter(t, root)
	asked := false
	r.Probe = func(operation, _ string) error {
		if operation == "exchange" && !asked {
			asked = true
			if status := disk.Git(t, root, "status", "--porcelain", "-uall"); strings.Contains(status, tempPrefix) {
				t.Errorf("git lists temporary files:\n%s", status)
			}
		}
		return nil
	}
	must(t, commitAll(r, changes()))
	if !asked {
		t.Error("git was not asked")
	}
}

// TestCommitKeepsMode keeps special bits of the mode.
func TestCommitKeepsMode(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, start)
	file := filepath.Join(root, "grant.yaml")
	must(t, os.Chmod(file, 0o750|os.ModeSetgid))
	want, err := os.Stat(file)
	must(t, err)
	must(t, commitAll(openWriter(t, root), changes()))
	if got, err := os.Stat(file); err != nil || got.Mode() != want.Mode() {
		t.Errorf("mode %v, want %v (%v)", got.Mode(), want.Mode(), err)
	}
}

// TestOtherFileSystem stages beside the targets, as where these are on another file system.
func TestOtherFileSystem(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, start)
	r := openWriter(t, root)
	first := map[string]bool{}
	r.Probe = func(operation, name string) error {
		isMove := operation == "exchange" || operation == "link" || operation == "remove" && !strings.Contains(name, tempPrefix)
		if isMove && strings.HasPrefix(name, "dir/") && !first[name] {
			first[name] = true
			return otherDevice
		}
		return nil
	}
	must(t, commitAll(r, changes()))
	want := map[string]string{"grant.yaml": "g2", "dir/kustomization.yaml": "k2", "dir/new.yaml": "n", "rest.yaml": "r2"}
	if diff := cmp.Diff(want, contents(t, root)); diff != "" {
		t.Error(diff)
	}
	if len(first) != 2 {
		t.Errorf("moved %v", first)
	}
}

// TestHardLinked finds the file that has two names.
func TestHardLinked(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, start)
	if err := os.Link(filepath.Join(root, "rest.yaml"), filepath.Join(root, "other.yaml")); err != nil {
		t.Skipf("no hard links here: %v", err)
	}
	r := openWriter(t, root)
	if diff := cmp.Diff([]string{"rest.yaml"}, r.HardLinked(changes())); diff != "" {
		t.Error(diff)
	}
	must(t, commitAll(r, changes()))
	if got := read(t, filepath.Join(root, "other.yaml")); got != "r1" {
		t.Errorf("the other name has %q", got)
	}
}
