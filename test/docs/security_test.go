package docs

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSecurityNamesTests checks that docs/security.md names a test for each promise, which is a row of a table, and that every test that
// the page names exists.
func TestSecurityNamesTests(t *testing.T) {
	t.Parallel()
	page := read(t, filepath.Join(root, "docs", "security.md"))
	name := regexp.MustCompile("`(Test\\w+)`")
	promises := 0
	for line := range strings.Lines(page) {
		isRow := strings.HasPrefix(line, "| ") && !strings.HasSuffix(line, "| held by |\n")
		if !isRow {
			continue
		}
		promises++
		cells := strings.Split(strings.TrimSuffix(line, " |\n"), " | ")
		if !name.MatchString(cells[len(cells)-1]) {
			t.Errorf("no test holds the promise %.60s", line)
		}
	}
	if promises < 25 {
		t.Errorf("only %d promises", promises)
	}
	tests := testNames(t)
	for _, named := range name.FindAllStringSubmatch(page, -1) {
		if !slices.Contains(tests, named[1]) {
			t.Errorf("there is no test %s, which docs/security.md names", named[1])
		}
	}
}

// testNames returns the names of all tests of the project.
func testNames(t *testing.T) (names []string) {
	t.Helper()
	declaration := regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		for _, found := range declaration.FindAllStringSubmatch(read(t, file), -1) {
			names = append(names, found[1])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
