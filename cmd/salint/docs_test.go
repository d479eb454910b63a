package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The examples of docs/output.md are what the program prints: a golden case runs it.
func TestExamplesOfOutput(t *testing.T) {
	t.Parallel()
	page := string(readFile(t, "../../docs/output.md"))
	out := string(readFile(t, filepath.Join(fixtures, "formats", "permissions", "out")))
	examples := regexp.MustCompile("(?s)```(?:json)?\n(.*?)```").FindAllStringSubmatch(page, -1)
	if len(examples) != 2 {
		t.Fatalf("%d examples", len(examples))
	}
	for _, example := range examples {
		if !strings.Contains(out, example[1]) {
			t.Errorf("the golden case formats/permissions does not print\n%s", example[1])
		}
	}
	for _, format := range []string{"text", "json", "sarif", "github"} {
		if !strings.Contains(page, "| `"+format+"` |") {
			t.Errorf("docs/output.md lacks the format %s", format)
		}
	}
}
