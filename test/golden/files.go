package golden

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "replace the expected output with the output of the tests")

// hint says how expected files are written.
const hint = "if this is right, -update writes it"

// File compares a result with the content of a file. With -update it writes the file.
func File(t testing.TB, file, got string) {
	t.Helper()
	if *update {
		write(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (%s)", err, hint)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; %s):\n%s", file, hint, diff)
	}
}

// ReadFolder returns the files of a folder and the folders below it, by name with slashes. It leaves out .git.
func ReadFolder(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == ".git" {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		files[filepath.ToSlash(name)] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// WriteFolder writes files below a folder, and makes the folders that they need.
func WriteFolder(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), content)
	}
}

// Below returns the files in a folder such as "in/", by their names in it.
func Below(folder string, files map[string]string) map[string]string {
	inside := map[string]string{}
	for name, content := range files {
		if rest, ok := strings.CutPrefix(name, folder); ok {
			inside[rest] = content
		}
	}
	return inside
}

func write(t testing.TB, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
