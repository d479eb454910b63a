package metadata_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/rules/metadata"
)

// straysOf returns the notes and errors for files; a name that ends in a slash is a folder.
func straysOf(t *testing.T, links map[string]string, names ...string) (notes, problems []string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(file, 0o755)
		} else {
			err = os.WriteFile(file, nil, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	notes, err := metadata.Strays(os.DirFS(dir), "policy")
	if err != nil {
		problems = strings.Split(err.Error(), "\n")
	}
	return notes, problems
}

func TestStrays(t *testing.T) {
	t.Parallel()
	const extension = " is not loaded, because the extension of policies is .rego: rename it"
	for _, test := range []struct {
		name            string
		names           []string
		notes, problems []string
	}{
		{name: "policies, and files of others", names: []string{"x.rego", "x_test.rego", "x_examples.txtar", "data.yaml", "README.md", "rego.md", "lib/y.rego", "other/a.txt"}},
		{name: "another letter case", names: []string{"X.REGO", "a/y.Rego"}, problems: []string{"policy/X.REGO" + extension + " to X.rego", "policy/a/y.Rego" + extension + " to y.rego"}},
		{
			name: "data in another letter case", names: []string{"Data.yaml", "data.JSON", "Database.yaml"},
			problems: []string{"policy/Data.yaml is not loaded, because the name of data is in lower case: rename it to data.yaml", "policy/data.JSON is not loaded, because the name of data is in lower case: rename it to data.json"},
		},
		{name: "copies of policies", names: []string{"x.rego", "x.rego.bak", "x.rego~", "#x.rego#", "x.rego.orig", ".x.rego.swp"}},
		{name: "policies with another extension", names: []string{"x.rego.txt", "y.rego~", "z.REGO.bak"}, notes: []string{
			"policy/x.rego.txt" + extension + ", or remove it", "policy/y.rego~" + extension + ", or remove it", "policy/z.REGO.bak" + extension + ", or remove it",
		}},
		{name: "examples of another name", names: []string{"x.rego", "x_example.txtar", "testdata/y.txtar"}, notes: []string{"policy/x_example.txtar is not run: the examples of rule.rego are in rule_examples.txtar"}},
		{name: "an empty folder", names: []string{"x.rego", "company/", "other/y.txt", "other/empty/"}, notes: []string{"policy/company is empty: if it is a submodule, check it out (git submodule update --init)"}},
		{name: "folders of tools", names: []string{"x.rego", ".git/refs/", ".salint/X.REGO"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			notes, problems := straysOf(t, nil, test.names...)
			if diff := cmp.Diff([][]string{test.notes, test.problems}, [][]string{notes, problems}); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestStraysReportLinksToFolders(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	_, problems := straysOf(t, map[string]string{"shared": "lib", "z.rego": "x.rego"}, "x.rego", "lib/y.rego")
	if len(problems) != 1 || !strings.HasPrefix(problems[0], "policy/shared is a link to a folder, which is not followed") {
		t.Errorf("the errors are %q", problems)
	}
}
