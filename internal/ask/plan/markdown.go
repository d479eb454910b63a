package plan

import (
	"fmt"
	"io"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	mark "github.com/salint/salint/internal/output/markdown"
)

// Markdown writes a plan for a pull request. Parts that do not fit into a comment are left out and counted.
func (p *Plan) Markdown(w io.Writer) error {
	m := &markdown{plan: p, columns: p.columns()}
	m.groups = p.groups(m.columns)
	m.Part("# Plan for the extensions\n\n" + m.summary())
	if len(p.Extensions) > 0 {
		m.table()
		for _, transition := range p.Transitions {
			m.Part(m.transition(transition))
		}
		m.notes("The cluster", m.cluster())
		m.notes(correctionsTitle, m.corrections())
	}
	m.notes(leftoversTitle, m.leftovers())
	m.notes(catalogsTitle, remarks(p.Catalogs))
	m.notes(notCheckedTitle, remarks(p.NotChecked))
	if len(p.Extensions) > 0 {
		m.Part("\n## Reasons\n")
	}
	for _, g := range m.groups {
		m.Part(m.extension(g))
	}
	if m.Left > 0 {
		m.Close(fmt.Sprintf("\n**%d parts are left out to fit into a comment:** `salint plan --format text` shows all.\n", m.Left))
	}
	_, err := io.WriteString(w, m.String())
	return err
}

// markdown collects parts until the limit of a comment.
type markdown struct {
	mark.Comment
	plan    *Plan
	columns []column
	groups  []group
}

func (m *markdown) summary() string {
	p := m.plan
	if len(p.Extensions) == 0 {
		return without(p) + "\n"
	}
	return fmt.Sprintf("%s, %s: %d × works, %d × warns, %d × breaks.\n",
		counted(all(p.Extensions)), words.Count(len(p.Targets), "target"), p.Count(Works), p.Count(Warns), p.Count(Breaks))
}

// table adds the table row by row, as far as it fits.
func (m *markdown) table() {
	head, rule := "\n| extension |", "|---|"
	for _, c := range m.columns {
		head += " " + mark.Text(m.plan.name(c)) + " |"
		rule += "---|"
	}
	m.Part(head + "\n" + rule + "\n")
	for _, g := range m.groups {
		row := "| " + mark.Text(g.title()) + " |"
		for _, c := range m.columns {
			row += " " + marked(g.Cells[c.first].Status) + " |"
		}
		m.Part(row + "\n")
	}
}

func marked(s Status) string {
	switch s {
	case Breaks:
		return "❌ **breaks**"
	case Warns:
		return "⚠️ warns"
	case NotJudged:
		return "–"
	}
	return "✅ works"
}

func (m *markdown) transition(t Transition) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n", mark.Text(title(t)))
	for i, s := range t.Steps {
		fmt.Fprintf(&b, "%d. **%s**%s. %s\n", i+1, mark.Text(s.Title), kindOf(s), mark.Text(s.Why))
		for _, line := range m.plan.effectLines(s.Effects) {
			fmt.Fprintf(&b, "   - %s\n", mark.Text(line))
		}
		for _, note := range s.Notes {
			fmt.Fprintf(&b, "   - ⚠️ %s\n", mark.Text(note))
		}
		if len(s.Commands) > 0 {
			fmt.Fprintf(&b, "\n%s\n", fenced(s.Commands, "   "))
		}
	}
	return b.String()
}

func (m *markdown) extension(g group) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n<details><summary>%s</summary>\n\n", mark.InTags(g.title()+" ("+where(g.Extension)+")"))
	for _, o := range m.plan.outcomes(g.Extension, m.columns) {
		fmt.Fprintf(&b, "- %s on %s: %s\n", marked(o.Status), mark.Text(strings.Join(o.targets, ", ")), mark.Text(sentence(o.Reason, o.Rule)))
		if o.Refused != "" {
			fmt.Fprintf(&b, "  - not fixed: %s\n", mark.Text(o.Refused))
		}
		if o.Shared != "" {
			fmt.Fprintf(&b, "  - %s\n", mark.Text(o.Shared))
		}
		if hint := o.origin(); hint != "" {
			fmt.Fprintf(&b, "  - %s\n", mark.Text(hint))
		}
		if o.Command != "" {
			fmt.Fprintf(&b, "  - %s:\n\n%s\n", o.moment(), fenced([]string{o.Command}, "    "))
		}
	}
	for i, e := range g.alike {
		switch i {
		case 0:
			fmt.Fprintf(&b, "- %s:\n", alikeTitle)
		case maxAlike:
			fmt.Fprintf(&b, "  - and %d more\n", len(g.alike)-maxAlike)
		}
		if i < maxAlike {
			fmt.Fprintf(&b, "  - %s\n", mark.Text(e.Label+" ("+where(*e)+")"))
		}
	}
	return b.String() + "\n</details>\n"
}

// maxAlike is the maximum number of extensions that a comment lists for a group.
const maxAlike = 50

func (m *markdown) notes(title string, notes []string) {
	for i, note := range notes {
		if i == 0 {
			note = "\n## " + title + "\n\n" + note
		}
		m.Part(note)
	}
}

func (m *markdown) cluster() []string {
	var notes []string
	for _, r := range m.plan.Cluster {
		notes = append(notes, fmt.Sprintf("- %s: %s\n", mark.Text("on "+r.Target), mark.Text(fmt.Sprintf("%s:%d: %s", r.File, r.Line, sentence(r.Message, r.Rule)))))
	}
	return notes
}

func (m *markdown) corrections() []string {
	var notes []string
	for _, c := range m.plan.Corrections() {
		notes = append(notes, fmt.Sprintf("- Proposal: %s (%s)\n  Actual behavior: %s\n  Source: %s. Applies to: %s\n",
			mark.Text(c.Statement), mark.Text(c.Section), mark.Text(c.Fact), mark.Text(c.Source), mark.Text(strings.Join(c.Transitions, "; "))))
	}
	return notes
}

func (m *markdown) leftovers() []string {
	var notes []string
	for _, line := range m.plan.LeftoverLines() {
		notes = append(notes, fmt.Sprintf("- %s\n", mark.Text(line)))
	}
	if commands := m.plan.LeftoverCommands(); len(commands) > 0 {
		notes = append(notes, "\n"+fenced(commands, ""))
	}
	return notes
}

func remarks(list []Remark) []string {
	var notes []string
	for _, r := range list {
		notes = append(notes, fmt.Sprintf("- %s\n", mark.Text(fmt.Sprintf("%s:%d: %s", r.File, r.Line, r.Message))))
	}
	return notes
}

// fenced returns a code block of commands.
func fenced(commands []string, indent string) string {
	lines := make([]string, len(commands))
	for i, command := range commands {
		lines[i] = safetext.Text(command)
	}
	return mark.Fenced("sh", lines, indent)
}
