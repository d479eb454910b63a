package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/salint/salint/internal/output/report"
)

// The examples of docs/output.md are what the program prints: a golden case runs it.
func TestExamplesOfOutput(t *testing.T) {
	t.Parallel()
	page := string(readFile(t, "../../docs/output.md"))
	out := string(readFile(t, filepath.Join(fixtures, "formats", "permissions", "out")))
	examples := 0
	for _, block := range regexp.MustCompile("(?sm)^```([a-z]*)\n(.*?)^```$").FindAllStringSubmatch(page, -1) {
		if block[1] != "" && block[1] != "json" {
			continue // what users write, not what is printed
		}
		examples++
		if !strings.Contains(out, block[2]) {
			t.Errorf("the golden case formats/permissions does not print\n%s", block[2])
		}
	}
	if examples != 2 {
		t.Errorf("%d examples", examples)
	}
	for _, format := range report.Formats() {
		if !strings.Contains(page, "| `"+format+"` |") {
			t.Errorf("docs/output.md lacks the format %s", format)
		}
	}
}
