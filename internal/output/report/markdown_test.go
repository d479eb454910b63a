package report

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// A comment has a limit, and left-out parts are counted.
func TestMarkdownFitsIntoAComment(t *testing.T) {
	t.Parallel()
	comment := string(render(t, "markdown", many(t, 3000), Options{Graph: pictured(300, "extension"), Verbose: true}))
	if n := utf8.RuneCountInString(comment); n > 65536 || n < 40_000 {
		t.Errorf("%d characters", n)
	}
	for _, want := range []string{"Left out to fit into a comment:", "open findings", "changed files", "Not drawn: ", "```mermaid"} {
		if !strings.Contains(comment, want) {
			t.Errorf("the comment does not have: %s", want)
		}
	}
	if strings.Count(comment, "<details>") != strings.Count(comment, "</details>") || strings.Count(comment, "\n```")%2 != 0 {
		t.Error("a part is cut in its middle")
	}
}

// No text from a manifest is read as Markdown or HTML, mentions a user, or ends a table cell.
func TestMarkdownTablesHoldHostileNames(t *testing.T) {
	t.Parallel()
	r := mixed(t)
	r.Findings[0].Message = "a|b @team <img src=x> `c` [d](https://example.com) \n| e"
	r.Findings[0].File = "x|<y>`@z.yaml"
	comment := string(render(t, "markdown", r, Options{}))
	for _, row := range regexp.MustCompile(`(?m)^\| .*$`).FindAllString(comment, -1) {
		if cells := len(regexp.MustCompile(`(^|[^\\])\|`).FindAllString(row, -1)); cells != 5 {
			t.Errorf("%d bars in the row %s", cells, row)
		}
	}
	for _, bad := range []string{"@team", "<img", "https://", "@z"} {
		if strings.Contains(comment, bad) {
			t.Errorf("the comment has %s:\n%s", bad, comment)
		}
	}
}
