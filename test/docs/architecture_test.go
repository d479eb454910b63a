package docs

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/salint/salint/"

// way is the way through the program, from left to right. A package knows what stands before it, and nothing behind.
var way = []string{
	"internal/repo", "internal/manifest", "internal/olm", "internal/inventory", "internal/rbac", "internal/finding",
	"internal/redact", "internal/suppress", "internal/policy", "rego", "rules", "fixers", "internal/verify",
	"internal/config", "internal/udiff", "internal/report", "internal/lint", "cmd/salint",
}

func TestDataFlowsOneWay(t *testing.T) {
	t.Parallel()
	for name, imports := range packages(t) {
		place := slices.Index(way, name)
		if place < 0 {
			continue
		}
		for _, imported := range imports {
			if slices.Index(way, imported) > place {
				t.Errorf("%s imports %s, which is to its right", name, imported)
			}
		}
	}
}

func TestArchitectureNamesEveryPackage(t *testing.T) {
	t.Parallel()
	page := read(t, filepath.Join(root, "docs", "architecture.md"))
	for name := range packages(t) {
		top, below, _ := strings.Cut(name, "/")
		ours := slices.Contains([]string{"internal", "cmd"}, top) && !strings.Contains(below, "/")
		if ours && !strings.Contains(page, "](../"+name+")") {
			t.Errorf("docs/architecture.md does not name %s", name)
		}
	}
}

// packages returns the packages of the module and what each imports of it, relative to the module.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	list := exec.Command("go", "list", "-e", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./...")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		var imports []string
		for _, imported := range fields[1:] {
			if inside, ok := strings.CutPrefix(imported, module); ok {
				imports = append(imports, inside)
			}
		}
		found[strings.TrimPrefix(fields[0], module)] = imports
	}
	return found
}
