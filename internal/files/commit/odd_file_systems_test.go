//go:build linux

package commit

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest/disk"
)

// A file system without locks is not one whose lock another run holds.
func TestLacksLocks(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]bool{
		syscall.ENOLCK: true, syscall.ENOSYS: true, syscall.EOPNOTSUPP: true, fmt.Errorf("flock: %w", syscall.ENOLCK): true,
		syscall.EWOULDBLOCK: false, syscall.EBADF: false,
	} {
		if got := lacksLocks(err); got != want {
			t.Errorf("%v: %t", err, got)
		}
	}
}

// Some file systems keep an entry for a file that is removed while it is open, so that its folder is not empty until it is closed.
func TestFolderIsEmptyAfterClosing(t *testing.T) {
	t.Parallel()
	for name, failures := range map[string]int{"once": 1, "always": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := disk.Repository(t, start)
			r := openWriter(t, root)
			r.Probe = func(operation, name string) error {
				if operation == "rmdir" && failures > 0 {
					failures--
					return &os.PathError{Op: operation, Path: name, Err: syscall.ENOTEMPTY}
				}
				return nil
			}
			err := commitAll(r, changes())
			if name == "always" {
				if err == nil || !strings.Contains(err.Error(), "was left behind") {
					t.Error(err)
				}
				return
			}
			must(t, err)
			if left := temporary(t, root); len(left) > 0 {
				t.Errorf("left: %s", left)
			}
		})
	}
}

// Names in both Unicode normal forms are two files where the file system has both, and each keeps its form.
func TestNormalForms(t *testing.T) {
	t.Parallel()
	composed, decomposed := "caf\u00e9.yaml", "cafe\u0301.yaml"
	root := disk.Repository(t, map[string]string{composed: "a: 1\n", decomposed: "b: 1\n"})
	r := openWriter(t, root)
	must(t, commitAll(r, []Write{{Path: decomposed, Before: []byte("b: 1\n"), After: []byte("b: 2\n")}}))
	want := map[string]string{composed: "a: 1\n", decomposed: "b: 2\n"}
	if diff := cmp.Diff(want, contents(t, root)); diff != "" {
		t.Error(diff)
	}
}
