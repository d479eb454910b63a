package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/salint/salint/internal/output/report"
)

// The examples of docs/output.md are the output of a golden case.
func TestExamplesOfOutput(t *testing.T) {
	t.Parallel()
	const file = "../../docs/output.md"
	page := readPage(t, file)
	out := fixtures.Read(t, "formats/permissions")["out"]
	examples := map[string]string{
		"":     regexp.MustCompile(`(?m)^Permissions:\n(?:  .*\n)+`).FindString(out),
		"json": regexp.MustCompile(`(?ms)^\{\n.*?^\}\n`).FindString(out),
	}
	updated := block.ReplaceAllStringFunc(page, func(text string) string {
		language := block.FindStringSubmatch(text)[1]
		want, shown := examples[language]
		if !shown {
			return text // input, not output
		}
		delete(examples, language)
		return "```" + language + "\n" + want + "```"
	})
	if len(examples) > 0 {
		t.Errorf("docs/output.md lacks examples: %v", examples)
	}
	comparePage(t, file, page, updated)
	for _, format := range report.Formats() {
		if !strings.Contains(page, "| `"+format+"` |") {
			t.Errorf("docs/output.md lacks the format %s", format)
		}
	}
}
