package report

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/markdown"
	"github.com/salint/salint/internal/output/picture"
)

// How much of a comment the sections may take at most, in characters, and what else bounds them. Diffs come last and take what
// is left: whoever reads a pull request has them before him.
const (
	markdownFindings = 30_000
	markdownFixed    = 30
	markdownNodes    = 60
	markdownPicture  = 12_000
	markdownLines    = 200 // of the diff of a file
)

// comment is a report for a comment on a pull request.
type comment struct {
	markdown.Comment
	result *finding.Result
	paths  paths
	left   []string // what did not fit, in words
}

func writeMarkdown(w *bufio.Writer, r *finding.Result, o Options) error {
	m := &comment{result: r, paths: pathsOf(r)}
	m.head()
	m.fixed()
	m.permissions()
	m.findings()
	m.picture(o.Graph)
	m.diffs()
	if len(m.left) > 0 {
		m.Close(fmt.Sprintf("\n**Cut to fit into a comment:** %s. `salint lint --format html` has more, `--format json` all of it.\n", strings.Join(m.left, ", ")))
	}
	_, err := w.WriteString(m.String())
	return err
}

func (m *comment) cut(n int, what string) {
	if n > 0 {
		m.left = append(m.left, count(n, what))
	}
}

func (m *comment) head() {
	targets := targetsOf(m.result, m.paths)
	m.Part(fmt.Sprintf("## salint: %s\n\n%s\n", markdown.Text(titleOf(m.result, targets)), markdown.Text(leadOf(m.result))))
	for _, t := range targets {
		says := ""
		if t.Says != "" {
			says = ": " + t.Says
		}
		m.Part(fmt.Sprintf("\n> **%s**%s\n", markdown.Text(t.Name), markdown.Text(says)))
	}
}

// fixed lists what the run mends.
func (m *comment) fixed() {
	lines := fixedLines(m.result, m.paths)
	if len(lines) == 0 && len(m.result.Notes) == 0 {
		return
	}
	m.Part("\n### What changes\n\n")
	for i, line := range lines {
		if i == markdownFixed || !m.Part(fmt.Sprintf("- %s (%s)\n", markdown.Text(line.Text), markdown.Code(line.Place))) {
			m.cut(len(lines)-i, "mended finding")
			break
		}
	}
	for _, note := range m.result.Notes {
		m.Part("- " + markdown.Text("To be known: "+note) + "\n")
	}
}

func (m *comment) permissions() {
	if m.result.Permissions == nil {
		return
	}
	m.Part("\n### Who gains and who loses\n\n**" + markdown.Text(gainsOf(m.result.Permissions).sentence()) + "**\n\n")
	for _, line := range permissionLines(m.result.Permissions, m.paths, false)[1:] { // the first says what stands above
		text := markdown.Text(strings.TrimSpace(line.text))
		switch line.mark {
		case gain:
			text = "  - ➕ " + text
		case loss:
			text = "  - ➖ " + text
		case cut:
			text = "  - " + text
		default:
			text = "- " + text
		}
		m.Part(text + "\n")
	}
}

// findings are a table, row by row as long as they fit.
func (m *comment) findings() {
	groups := groupsOf(m.result)
	if len(groups) == 0 {
		m.Part("\n### What is left open\n\nNothing: no rule has anything to say about " + markdown.Text(checked(m.result)) + ".\n")
		return
	}
	m.Part("\n### What is left open\n\n| | rule | where | what |\n|---|---|---|---|\n")
	room, left := min(markdownFindings, m.Room()), 0
	for _, g := range groups {
		for _, f := range g.Findings {
			row := m.row(f)
			if room -= len(row); room < 0 || !m.Part(row) {
				left++
			}
		}
	}
	m.cut(left, "open finding")
	m.commands(groups)
}

func (m *comment) row(f finding.Finding) string {
	what := markdown.Text(f.Message)
	if f.Fix != nil {
		what += "<br>*fix* " + markdown.Text("("+string(f.Fix.Kind)+"): "+f.Fix.Description)
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", severityMark(f.Severity), markdown.Code(f.Rule), markdown.Code(placeOf(f, m.paths)), what)
}

func severityMark(s finding.Severity) string {
	switch s {
	case finding.Error:
		return "❌ error"
	case finding.Warning:
		return "⚠️ warning"
	}
	return "ℹ️ note"
}

// commands are those that would fix what is open, each once.
func (m *comment) commands(groups []group) {
	var lines []string
	told := map[string]bool{}
	for _, g := range groups {
		if command := safetext.Text(commandFor(g, m.result.FixCommand)); command != "" && !told[command] {
			told[command] = true
			lines = append(lines, command)
		}
	}
	if len(lines) > 0 {
		m.Part("\nTo fix what can be fixed:\n\n" + markdown.Fenced("sh", lines, ""))
	}
}

// picture is a graph that GitHub and GitLab draw.
func (m *comment) picture(g *picture.Graph) {
	if g == nil || len(g.Nodes) == 0 {
		return
	}
	for limit := markdownNodes; limit >= 4; limit /= 2 {
		part := g.Focus(limit)
		var text strings.Builder
		if _, err := part.Shown.Mermaid(&text, m.paths.rel); err != nil || text.Len() > markdownPicture {
			continue
		}
		left := ""
		if said := numbered(part.Left); len(said) > 0 {
			left = "\nNot drawn: " + joined(said) + ".\n"
		}
		lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
		if m.Part("\n### Who is bound to what\n\n" + markdown.Fenced("mermaid", lines, "") + left) {
			return
		}
	}
	m.left = append(m.left, "the picture of who is bound to what")
}

func (m *comment) diffs() {
	for i, file := range m.result.Changes {
		c := changeOf(file, m.paths, markdownLines)
		var b strings.Builder
		if i == 0 {
			b.WriteString("\n### Changed files\n")
		}
		kind := ""
		if c.Kind != "changed" {
			kind = ", " + c.Kind
		}
		fmt.Fprintf(&b, "\n<details><summary>%s %s%s</summary>\n\n", markdown.Code(c.File), c.sizes(), kind)
		if c.Hidden != "" {
			b.WriteString("Not shown: " + markdown.Text(c.Hidden) + ".\n")
		} else {
			lines := make([]string, len(c.Lines))
			for i, line := range c.Lines {
				lines[i] = line.Text
			}
			b.WriteString(markdown.Fenced("diff", lines, ""))
		}
		if c.Cut > 0 {
			fmt.Fprintf(&b, "\n%s: `salint lint --diff` prints all.\n", count(c.Cut, "more line"))
		}
		b.WriteString("\n</details>\n")
		if !m.Part(b.String()) {
			m.cut(len(m.result.Changes)-i, "changed file")
			return
		}
	}
}
