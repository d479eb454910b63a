package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestElevenExtensionsFitOnAScreen checks the plans of eleven extensions, with long commands wrapped by the terminal.
func TestElevenExtensionsFitOnAScreen(t *testing.T) {
	t.Parallel()
	const lines, columns = 40, 100
	for _, name := range []string{"plan/eleven-extensions", "plan/eleven-extensions-in-two-overlays"} {
		screen, _, _ := strings.Cut(fixtures.Read(t, name)["out"], "[exit code")
		used := 0
		for line := range strings.SplitSeq(strings.TrimSuffix(screen, "\n"), "\n") {
			used += max(1, (utf8.RuneCountInString(line)+columns-1)/columns)
		}
		if used > lines {
			t.Errorf("%s: %d lines, want at most %d:\n%s", name, used, lines, screen)
		}
	}
}
