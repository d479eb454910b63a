package internal_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// assurances are the words by which a sentence assures something, or is limited to what was read. In a string, they are made by [finding.Coverage].
var assurances = regexp.MustCompile(`"[^"]*(?:as far as known|in what was (?:read|checked)|in what could be read)[^"]*"|"(?:no subjects|no|Passed|No problems|No new problems|No findings are open)\\*n?"`)

// assuring matches a call by which such words become a sentence.
var assuring = regexp.MustCompile(`\.Assure\(`)

// TestAssurances checks that no sentence assures something beside the coverage of what was read: each is made by one function.
func TestAssurances(t *testing.T) {
	t.Parallel()
	for _, group := range []string{"ask", "needs", "output", "lint", "config"} {
		err := filepath.WalkDir(group, func(file string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || filepath.ToSlash(file) == "config/finding/coverage.go" {
				return err
			}
			text, err := os.ReadFile(file)
			for i, line := range strings.Split(string(text), "\n") {
				if found := assurances.FindString(line); found != "" && !assuring.MatchString(line) && !strings.HasPrefix(strings.TrimSpace(line), "//") {
					t.Errorf("%s:%d: %s is not made by finding.Coverage", file, i+1, found)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
