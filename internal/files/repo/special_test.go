//go:build unix

package repo

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest/disk"
)

// TestWalkDoesNotOpenPipes checks that a pipe without a writer, which would block the program, is not opened.
func TestWalkDoesNotOpenPipes(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, map[string]string{"ok.yaml": ""})
	if err := syscall.Mkfifo(filepath.Join(root, "pipe.yaml"), 0o644); err != nil {
		t.Skip(err)
	}
	r := open(t, root)
	visited, skipped := walk(t, r, WalkOptions{})
	if diff := cmp.Diff([]string{"ok.yaml"}, visited); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"pipe.yaml: not a regular file"}, skipped); diff != "" {
		t.Error(diff)
	}
	if _, err := r.Read("pipe.yaml"); err == nil {
		t.Error("the pipe was read")
	}
}
