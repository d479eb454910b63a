package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

// link is [text](target) in Markdown, without a title.
var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

func TestLinks(t *testing.T) {
	t.Parallel()
	for _, page := range pagesOf(t) {
		text := read(t, page)
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			target, anchor, _ := strings.Cut(match[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := page
			if target != "" {
				file = filepath.Join(filepath.Dir(page), target)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s, which does not exist", page, match[1])
				continue
			}
			if anchor != "" && !hasHeading(read(t, file), anchor) {
				t.Errorf("%s links to %s, but there is no such heading", page, match[1])
			}
		}
	}
}

// pagesOf returns the pages of the documentation.
func pagesOf(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, pattern := range []string{"*.md", "docs/*.md", "bench/*.md", "editors/*/*.md", "test/*/*.md"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, files...)
	}
	return found
}

var (
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	code    = regexp.MustCompile("(?ms)^[ \t]*```.*?^[ \t]*```[ \t]*$") // its comments look like headings
	dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// hasHeading reports whether a page has a heading with the anchor that GitHub gives it: a second heading of the same name gets a number.
func hasHeading(text, anchor string) bool {
	seen := map[string]int{}
	for _, match := range heading.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
		name := strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(match[1]), ""), " ", "-")
		numbered := name
		if seen[name] > 0 {
			numbered = fmt.Sprintf("%s-%d", name, seen[name])
		}
		seen[name]++
		if numbered == anchor {
			return true
		}
	}
	return false
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
