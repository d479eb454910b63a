package docs

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/salint/salint/"

func TestArchitectureNamesEveryPackage(t *testing.T) {
	t.Parallel()
	page := read(t, filepath.Join(root, "docs", "architecture.md"))
	for _, name := range packages(t) {
		if isNamed(name) && !strings.Contains(page, "](../"+name+")") {
			t.Errorf("docs/architecture.md does not name %s", name)
		}
	}
}

// isNamed reports whether the page must link to a package: commands, and the packages directly below a group of internal/.
func isNamed(name string) bool {
	switch top, below, _ := strings.Cut(name, "/"); top {
	case "cmd":
		return true
	case "internal":
		return strings.Count(below, "/") == 1 && !strings.HasPrefix(below, "render/") || below == "render"
	default:
		return name == "rules" || name == "rego" || name == "fixers"
	}
}

// packages returns the names of the packages of the module, relative to it.
func packages(t *testing.T) []string {
	t.Helper()
	list := exec.Command("go", "list", "-e", "./...")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		names = append(names, strings.TrimPrefix(strings.TrimSpace(line), module))
	}
	return names
}
