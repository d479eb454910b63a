package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/salint/salint/"

// groups are the folders of the repository that hold packages, in the order in which they can import each other.
var groups = []string{
	"internal/base", "internal/files", "internal/kube", "internal/render", "internal/config", "internal/assemble",
	"internal/needs", "rego", "rules", "fixers", "internal/proof", "internal/lint", "internal/output", "internal/ask", "cmd",
}

// TestImportOrder checks that no package imports a package of a later group. External tests (package x_test) are exempt: those
// of the fixers prove their fixes.
func TestImportOrder(t *testing.T) {
	t.Parallel()
	for rank, group := range groups {
		for file, imports := range importsBelow(t, group) {
			for _, imported := range imports {
				if r := rankOf(imported); r > rank {
					t.Errorf("%s imports %s: %s comes before %s", file, imported, group, groups[r])
				}
			}
		}
	}
}

// TestEveryPackageHasAGroup checks that no package lies outside the groups, and that each group says what it holds.
func TestEveryPackageHasAGroup(t *testing.T) {
	t.Parallel()
	folders, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		if name := "internal/" + folder.Name(); !slices.Contains(groups, name) {
			t.Errorf("%s is not in the list of groups", name)
		}
		if _, err := os.Stat(filepath.Join(folder.Name(), "doc.go")); err != nil {
			t.Errorf("internal/%s has no doc.go: %v", folder.Name(), err)
		}
	}
}

// rankOf is the place of a package's group in groups, or -1 for packages of other modules.
func rankOf(imported string) int {
	folder, ok := strings.CutPrefix(imported, module)
	if !ok {
		return -1
	}
	return slices.IndexFunc(groups, func(group string) bool { return folder == group || strings.HasPrefix(folder, group+"/") })
}

// importsBelow lists the imports of each Go file of a group.
func importsBelow(t *testing.T, group string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	root := filepath.Join("..", filepath.FromSlash(group))
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != ".go" {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		if strings.HasSuffix(parsed.Name.Name, "_test") {
			return nil
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			found[file] = append(found[file], imported)
		}
		return nil
	})
	if err != nil || len(found) == 0 {
		t.Fatalf("reading the imports of %s: %d files, %v", group, len(found), err)
	}
	return found
}
