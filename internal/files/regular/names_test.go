package regular

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNamesRead compares Read with ReadIn for each kind of entry.
func TestNamesRead(t *testing.T) {
	t.Parallel()
	outside, dir := t.TempDir(), t.TempDir()
	write := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(outside, "secret"), "secret")
	write(filepath.Join(dir, "file"), "text")
	write(filepath.Join(dir, "empty"), "")
	write(filepath.Join(dir, "large"), "more than ten bytes")
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	names := []string{"file", "empty", "large", "folder", "missing"}
	if runtime.GOOS != "windows" {
		for link, target := range map[string]string{"inside": "file", "outside": filepath.Join(outside, "secret"), "dangling": "nothing"} {
			if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
				t.Fatal(err)
			}
			names = append(names, link)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	folder := OpenNames(root)
	defer folder.Close()
	for _, name := range names {
		want, wantErr := ReadIn(root, name, 10)
		got, err := folder.Read(name, 10)
		if diff := cmp.Diff(want, got); diff != "" || text(err) != text(wantErr) {
			t.Errorf("%s: error %q, want %q (-want +got):\n%s", name, text(err), text(wantErr), diff)
		}
	}
	if got, _ := folder.Read("inside", 10); runtime.GOOS != "windows" && string(got) != "text" {
		t.Errorf("a symlink that stays inside: %q", got)
	}
	if got, err := folder.Read("outside", 10); err == nil {
		t.Errorf("a symlink that leaves the folder: %q", got)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
