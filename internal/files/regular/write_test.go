package regular_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/salint/salint/internal/files/regular"
)

func TestWriteFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, link := filepath.Join(dir, "report.json"), filepath.Join(dir, "link.json")
	for _, text := range []string{"old", "new"} {
		if err := regular.WriteFile(file, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(file); err != nil || string(data) != text {
			t.Errorf("%q, %v", data, err)
		}
		if err := os.Chmod(file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skipf("no symlinks here: %v", err)
	}
	for _, other := range []string{link, dir} {
		if err := regular.WriteFile(other, []byte("x")); !errors.Is(err, regular.ErrKind) {
			t.Errorf("%s: %v", other, err)
		}
	}
	if err := regular.WriteFile(filepath.Join(dir, "missing", "x"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("temporary files stay: %v, %v", entries, err)
	}
}
