package formats

import (
	"io"

	"github.com/salint/salint/internal/ask/plan"
)

// Names are the formats of plans.
var Names = []string{"text", "markdown", "json", "html"}

// Write prints a plan in a format; width is that of the terminal.
func Write(w io.Writer, p *plan.Plan, format string, width int) error {
	switch format {
	case "json":
		return writeJSON(w, p)
	case "markdown":
		return p.Markdown(w)
	case "html":
		return p.HTML(w)
	}
	return p.Text(w, width)
}
