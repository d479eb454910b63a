package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/salint/salint/test/golden"
	"github.com/salint/salint/test/recording"
)

// docs/demo.svg is what salint demo prints, a screen for each command: go test ./cmd/salint -run TestPictureOfTheDemo -update
func TestPictureOfTheDemo(t *testing.T) {
	t.Parallel()
	out := runLine(t.TempDir(), "demo --color always")
	out, _, _ = strings.Cut(out, "[exit code")
	out = regexp.MustCompile(`\S*salint-demo-\d+`).ReplaceAllString(out, "/tmp/salint-demo") // another folder in each run
	begins := regexp.MustCompile(`(?m)^# `).FindAllStringIndex(out, -1)
	var screens []string
	for i, at := range begins {
		end := len(out)
		if i+1 < len(begins) {
			end = begins[i+1][0]
		}
		screens = append(screens, out[at[0]:end])
	}
	if len(screens) < 3 {
		t.Fatalf("%d screens:\n%s", len(screens), out)
	}
	golden.File(t, "../../docs/demo.svg", recording.SVG("salint demo: lint, the changes as a diff, the fixes, and what is left", screens))
}
