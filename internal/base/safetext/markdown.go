package safetext

import "strings"

// Code returns a code span in which Markdown, HTML, and references to users and issues have no effect. Its fence is longer
// than any run of backticks in the text, of which it shows the first characters up to a limit.
func Code(text string, limit int) string {
	text = Text(text)
	if runes := []rune(text); len(runes) > limit {
		text = string(runes[:limit]) + "…"
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.TrimSpace(text) == "" {
		text = " " + text + " "
	}
	return fence + text + fence
}
