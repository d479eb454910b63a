package answer

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/needs/bundlediff"
)

// A comment on a pull request is read only if it is short. GitHub accepts 65,536 characters.
const (
	shownChanges = 30
	shownLines   = 8
	shownItems   = 12
	shownText    = 400
	// growthEnd and shrinkageEnd are the text lengths after which the lists are cut off.
	growthEnd, shrinkageEnd = 40_000, 55_000
)

// markdown lists what grows, and what shrinks in a folded section.
func (a Answer) markdown() string {
	var b strings.Builder
	older, newer := a.sides()
	fmt.Fprintf(&b, "### Permissions: %s → %s\n\nThe new version %s.\n", code(older), code(newer), a.headline())
	if len(a.Diff.Growth) > 0 {
		b.WriteByte('\n')
		bullets(&b, a.Diff.Growth, true, growthEnd)
	}
	if n := len(a.Diff.Shrinkage); n > 0 {
		fmt.Fprintf(&b, "\n<details><summary>Less than before: %s</summary>\n\n", things(n))
		bullets(&b, a.Diff.Shrinkage, false, shrinkageEnd)
		b.WriteString("\n</details>\n")
	}
	notes := a.notes()
	for i, note := range notes {
		if i == shownLines {
			fmt.Fprintf(&b, "\n… and %d more notes\n", len(notes)-i)
			break
		}
		kind, text, _ := strings.Cut(note, ": ")
		fmt.Fprintf(&b, "\n%s: %s\n", kind, code(text))
	}
	return b.String()
}

func bullets(b *strings.Builder, changes []bundlediff.Change, grows bool, end int) {
	for i, c := range changes {
		if i == shownChanges || b.Len() > end {
			fmt.Fprintf(b, "- … and %d more: `salint bundle-diff` lists all\n", len(changes)-i)
			return
		}
		danger := ""
		if len(c.Dangers) > 0 && grows {
			// These words are constants; the asterisk is their only special character.
			danger = "⚠️ **" + strings.ReplaceAll(strings.Join(c.Dangers, "; "), "*", `\*`) + "**: "
		}
		fmt.Fprintf(b, "- %s%s\n", danger, code(c.Title()))
		lines := c.Lines(shownItems)
		for j, line := range lines {
			if j == shownLines {
				fmt.Fprintf(b, "  - … and %d more\n", len(lines)-j)
				break
			}
			fmt.Fprintf(b, "  - %s\n", code(line))
		}
	}
}

func code(text string) string { return safetext.Code(text, shownText) }
