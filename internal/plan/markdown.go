package plan

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/salint/salint/internal/printable"
)

// markdownLimit is how long a comment on a pull request may be, in characters; the reserve is for saying what was cut.
const (
	markdownLimit   = 65536
	markdownReserve = 300
)

// Markdown writes a plan for a pull request. What does not fit into a comment is left out, and that is said.
func (p *Plan) Markdown(w io.Writer) error {
	m := &markdown{plan: p, columns: p.columns()}
	m.part("# What becomes of the extensions\n\n" + m.summary())
	if len(p.Extensions) > 0 {
		m.table()
		for _, way := range p.Transitions {
			m.part(m.transition(way))
		}
		m.notes("The cluster", m.cluster())
		m.notes(claimsTitle, m.claims())
	}
	m.notes("Not checked, so that there may be more", m.notChecked())
	if len(p.Extensions) > 0 {
		m.part("\n## Why\n")
	}
	for _, e := range p.Extensions {
		m.part(m.extension(e))
	}
	if m.left > 0 {
		m.WriteString(fmt.Sprintf("\n**%d parts did not fit into a comment and are left out:** `salint plan --format text` has all of it.\n", m.left))
	}
	_, err := io.WriteString(w, m.String())
	return err
}

// markdown collects parts as long as they fit.
type markdown struct {
	strings.Builder
	plan       *Plan
	columns    []column
	used, left int
}

// part adds a text, if it fits; it tells whether it did.
func (m *markdown) part(text string) bool {
	n := utf8.RuneCountInString(text)
	if m.used+n > markdownLimit-markdownReserve {
		m.left++
		return false
	}
	m.used += n
	m.WriteString(text)
	return true
}

func (m *markdown) summary() string {
	p := m.plan
	if len(p.Extensions) == 0 {
		return "No ClusterExtension was found here: there is nothing to plan.\n"
	}
	return fmt.Sprintf("%s, %s: %d × works, %d × warns, %d × breaks.\n",
		plural(len(p.Extensions), "extension"), plural(len(p.Targets), "target"), p.Count(Works), p.Count(Warns), p.Count(Breaks))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// table adds the table row by row. A row that does not fit ends it.
func (m *markdown) table() {
	head, rule := "\n| extension |", "|---|"
	for _, c := range m.columns {
		head += " " + escaped(m.plan.name(c)) + " |"
		rule += "---|"
	}
	m.part(head + "\n" + rule + "\n")
	for _, e := range m.plan.Extensions {
		row := "| " + escaped(e.Label) + " |"
		for _, c := range m.columns {
			row += " " + marked(e.Cells[c.first].Status) + " |"
		}
		m.part(row + "\n")
	}
}

func marked(s Status) string {
	switch s {
	case Breaks:
		return "❌ **breaks**"
	case Warns:
		return "⚠️ warns"
	}
	return "✅ works"
}

func (m *markdown) transition(way Transition) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n", escaped(title(way)))
	for i, s := range way.Steps {
		fmt.Fprintf(&b, "%d. **%s**%s. %s\n", i+1, escaped(s.Title), kindOf(s), escaped(s.Why))
		for _, note := range s.Notes {
			fmt.Fprintf(&b, "   - ⚠️ %s\n", escaped(note))
		}
		if len(s.Commands) > 0 {
			fmt.Fprintf(&b, "\n%s\n", fenced(s.Commands, "   "))
		}
	}
	return b.String()
}

func (m *markdown) extension(e Extension) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n<details><summary>%s</summary>\n\n", inTags(e.Label+" ("+where(e)+")"))
	for _, o := range m.plan.outcomes(e, m.columns) {
		fmt.Fprintf(&b, "- %s on %s: %s\n", marked(o.Status), escaped(strings.Join(o.targets, ", ")), escaped(sentence(o.Reason, o.Rule)))
		if o.Refused != "" {
			fmt.Fprintf(&b, "  - not fixed: %s\n", escaped(o.Refused))
		}
		if o.Shared != "" {
			fmt.Fprintf(&b, "  - %s\n", escaped(o.Shared))
		}
		if o.Command != "" {
			fmt.Fprintf(&b, "  - %s:\n\n%s\n", o.moment(), fenced([]string{o.Command}, "    "))
		}
	}
	return b.String() + "\n</details>\n"
}

func (m *markdown) notes(title string, notes []string) {
	for i, note := range notes {
		if i == 0 {
			note = "\n## " + title + "\n\n" + note
		}
		m.part(note)
	}
}

func (m *markdown) cluster() []string {
	var notes []string
	for _, r := range m.plan.Cluster {
		notes = append(notes, fmt.Sprintf("- %s: %s\n", escaped("on "+r.Target), escaped(fmt.Sprintf("%s:%d: %s", r.File, r.Line, sentence(r.Message, r.Rule)))))
	}
	return notes
}

func (m *markdown) claims() []string {
	var notes []string
	for _, c := range m.plan.Claims() {
		notes = append(notes, fmt.Sprintf("- Said: %s (%s)\n  So it is: %s\n  Source: %s. About: %s\n",
			escaped(c.Says), escaped(c.Where), escaped(c.Fact), escaped(c.Source), escaped(strings.Join(c.Ways, "; "))))
	}
	return notes
}

func (m *markdown) notChecked() []string {
	var notes []string
	for _, r := range m.plan.NotChecked {
		notes = append(notes, fmt.Sprintf("- %s\n", escaped(fmt.Sprintf("%s:%d: %s", r.File, r.Line, r.Message))))
	}
	return notes
}

// fenced is a block of commands. The fence is longer than any run of backticks in it.
func fenced(commands []string, indent string) string {
	fence := "```"
	text := printable.Text(strings.Join(commands, " "))
	for strings.Contains(text, fence) {
		fence += "`"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s%ssh\n", indent, fence)
	for _, command := range commands {
		fmt.Fprintf(&b, "%s%s\n", indent, printable.Text(command))
	}
	fmt.Fprintf(&b, "%s%s\n", indent, fence)
	return b.String()
}

// special are the characters that Markdown, or GitHub in it, makes something of: emphasis, links, tags, tables, mentions of users
// and of issues.
const special = "\\`*_[]<>#|~&$"

// escaped is a text that Markdown shows as it is.
func escaped(text string) string {
	var b strings.Builder
	for _, r := range printable.Text(text) {
		switch {
		case r == '@':
			b.WriteString("&#64;") // GitHub mentions whoever follows a backslash all the same
		case r == '<':
			b.WriteString("&lt;")
		case strings.ContainsRune(special, r):
			b.WriteRune('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// inTags is a text between tags of HTML, in which Markdown is not read but links and mentions are.
func inTags(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;").Replace(printable.Text(text))
}
