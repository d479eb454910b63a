package repo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/repo"
)

// TestText checks that text is read up to the size limit, and that the size of binary files does not matter.
func TestText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	long := strings.Repeat("# a script\n", 1<<18)
	files := map[string]string{"a.sh": long + "kubectl", "b.png": "\x89PNG\x00" + long, "c.ps1": "\xff\xfea\x00"}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := repo.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.sh": files["a.sh"], "b.png": "", "c.ps1": files["c.ps1"]} {
		data, err := r.Text(name)
		if err != nil || string(data) != want {
			t.Errorf("%s: %d bytes, error %v", name, len(data), err)
		}
	}
}
