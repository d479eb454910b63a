package report

import "github.com/salint/salint/internal/config/finding"

// style is an ANSI escape sequence that starts a text style.
type style string

// Only the eight colors that every terminal has are used, so that its theme defines how they look.
const (
	bold   style = "\x1b[1m"
	faint  style = "\x1b[2m"
	red    style = "\x1b[1;31m"
	green  style = "\x1b[32m"
	yellow style = "\x1b[1;33m"
	blue   style = "\x1b[34m"
	cyan   style = "\x1b[1;36m"

	reset = "\x1b[0m"
)

// painter applies styles to text, or none.
type painter bool

func (p painter) paint(s style, text string) string {
	if !p || text == "" {
		return text
	}
	return string(s) + text + reset
}

func severityStyle(s finding.Severity) style {
	switch s {
	case finding.Error:
		return red
	case finding.Warning:
		return yellow
	default:
		return cyan
	}
}
