package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/salint/salint/internal/output/report"
)

// The examples of docs/output.md are what the program prints: a golden case runs it.
func TestExamplesOfOutput(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/output.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	out := fixtures.Read(t, "formats/permissions")["out"]
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
