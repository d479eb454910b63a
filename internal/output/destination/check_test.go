package destination

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	outside, dir := t.TempDir(), t.TempDir()
	for _, name := range []string{"reports", "deep/er"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "old.json"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"report.json": filepath.Join(outside, "victim"), "inner.json": "old.json",
		"away": outside, "up": "..", "here": "reports", "deep/er/away": outside,
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skipf("symlinks are not supported: %v", err)
		}
	}
	for name, want := range map[string]string{
		"new.json":                         "",
		"old.json":                         "",
		"reports/new.json":                 "",
		"here/new.json":                    "",
		filepath.Join(outside, "new.json"): "",
		"missing/new.json":                 "create it first",
		"old.json/new.json":                "not a ",
		"report.json":                      "the file is a symlink",
		"inner.json":                       "the file is a symlink",
		"away/new.json":                    "outside the working directory",
		"deep/er/away/new.json":            "outside the working directory",
		"up/new.json":                      "outside the working directory",
	} {
		file := name
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, name)
		}
		err := Check(dir, file)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
}
