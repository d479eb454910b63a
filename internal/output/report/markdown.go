package report

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/alike"
	"github.com/salint/salint/internal/output/drawings"
	"github.com/salint/salint/internal/output/fixtext"
	"github.com/salint/salint/internal/output/markdown"
	"github.com/salint/salint/internal/output/picture"
	"github.com/salint/salint/internal/output/remarks"
)

// The limits of the sections of a comment, in characters if nothing else is given. Diffs come last and take what is left,
// because the pull request shows them anyway.
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
	result  *finding.Result
	options Options
	paths   paths
	left    []string // what did not fit, for the last line
}

func writeMarkdown(w *bufio.Writer, r *finding.Result, o Options) error {
	m := &comment{result: r, paths: pathsOf(r), options: o}
	m.head()
	m.fixed()
	m.permissions()
	m.findings()
	m.suppressed()
	m.targets()
	m.picture(graphOf(r, o.Graph))
	m.diffs()
	if made := madeBy(m.result); made != "" {
		m.Part("\n" + markdown.Text(made) + "\n")
	}
	if len(m.left) > 0 {
		m.Close(fmt.Sprintf("\n**Left out to fit into a comment:** %s. `salint lint --format html` shows more, `--format json` shows all.\n", strings.Join(m.left, ", ")))
	}
	_, err := w.WriteString(m.String())
	return err
}

func (m *comment) cut(n int, what string) {
	if n > 0 {
		m.left = append(m.left, words.Count(n, what))
	}
}

func (m *comment) head() {
	m.Part(fmt.Sprintf("## salint: %s\n\n%s\n", markdown.Text(verdictOf(m.result)), markdown.Text(leadOf(m.result))))
}

// targets explains the releases, folded: who reads every report knows them.
func (m *comment) targets() {
	targets := targetsOf(m.result, m.paths)
	if len(targets) == 0 {
		return
	}
	var b strings.Builder
	for _, t := range targets {
		details := ""
		if t.Effect != "" {
			details = ": " + t.Effect
		}
		fmt.Fprintf(&b, "\n- **%s**%s\n", markdown.Text(t.Name), markdown.Text(details))
	}
	m.Part(folded("What the releases do", b.String()))
}

// folded returns a part that readers open.
func folded(title, text string) string {
	return fmt.Sprintf("\n<details><summary>%s</summary>\n%s\n</details>\n", title, text)
}

// fixed lists the fixes of the run. Those that differ only in their place are one.
func (m *comment) fixed() {
	lines := fixedLines(m.result, m.paths)
	if len(lines) == 0 && len(m.result.Notes) == 0 {
		return
	}
	m.Part("\n### Changes\n\n")
	joined := joinedLines(lines)
	for i, line := range joined {
		if i == markdownFixed || !m.Part(fmt.Sprintf("- %s (%s)\n", markdown.Text(line.Text), markdown.Code(line.Place))) {
			m.cut(len(joined)-i, "fixed finding")
			break
		}
	}
	for _, note := range remarks.Fold(m.result.Notes) {
		m.Part("- " + markdown.Text("Note: "+note) + "\n")
	}
}

// joinedLines joins fixes of one description.
func joinedLines(lines []fixedLine) []fixedLine {
	places := map[fixedLine][]string{}
	var joined []fixedLine
	for _, line := range lines {
		of := fixedLine{Text: line.Text, Rule: line.Rule}
		if len(places[of]) == 0 {
			joined = append(joined, of)
		}
		places[of] = append(places[of], line.Place)
	}
	for i, of := range joined {
		joined[i].Place = words.First(mostLikeIt, alike.Paths(places[of]))
	}
	return joined
}

// permissions lists who gains and loses what; folded if no identity does.
func (m *comment) permissions() {
	if m.result.Permissions == nil {
		return
	}
	g := gainsOf(m.result.Permissions)
	var b strings.Builder
	b.WriteString("\n**" + markdown.Text(g.sentence()) + "**\n\n")
	for _, line := range permissionLines(m.result.Permissions, m.paths, false)[1:] { // the heading repeats the first
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
		b.WriteString(text + "\n")
	}
	if g.none() && g.unlimited == 0 {
		m.Part(folded("Permissions", b.String()))
		return
	}
	m.Part("\n### Permissions\n" + b.String())
}

// findings is a table with as many rows as fit, one for each cause.
func (m *comment) findings() {
	groups := groupsOf(m.result, m.options)
	if len(groups) == 0 {
		return
	}
	m.Part("\n### Open findings\n\n| | rule | where | what |\n|---|---|---|---|\n")
	room, left := min(markdownFindings, m.Room()), 0
	for _, g := range groups {
		for _, c := range causesOf(g.Findings, m.options.Verbose) {
			row := m.row(c)
			if room -= len(row); room < 0 || !m.Part(row) {
				left += 1 + len(c.others)
			}
		}
	}
	m.cut(left, "open finding")
	m.commands(groups)
}

func (m *comment) row(c cause) string {
	f := c.first
	what := markdown.Text(f.Message)
	if also := finding.AlsoUnchecked(f); also != "" {
		what += "<br>" + markdown.Text(also)
	}
	if f.Fix != nil {
		what += "<br>*fix* " + markdown.Text("("+string(f.Fix.Kind)+"): "+fixtext.Offered(f.Fix))
	}
	for _, line := range m.paths.likeIt(c) {
		what += "<br>" + markdown.Text(line)
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

// commands lists the commands that would fix open findings, each once.
func (m *comment) commands(groups []group) {
	var lines []string
	seen := map[string]bool{}
	for _, g := range groups {
		if command := safetext.Text(commandFor(g, m.result.FixCommand)); command != "" && !seen[command] {
			seen[command] = true
			lines = append(lines, command)
		}
	}
	if len(lines) > 0 {
		m.Part("\nTo fix what salint can fix:\n\n" + markdown.Fenced("sh", lines, ""))
	}
}

// picture adds a graph that GitHub and GitLab draw.
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
		if parts := drawings.Numbered(part.Left); len(parts) > 0 {
			left = "\nNot drawn: " + words.And(parts) + ".\n"
		}
		lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
		if m.Part(folded("Bindings and roles", "\n"+markdown.Fenced("mermaid", lines, "")+left)) {
			return
		}
	}
	m.left = append(m.left, "the graph of bindings and roles")
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
			fmt.Fprintf(&b, "\n%s: `salint lint --diff` prints all.\n", words.Count(c.Cut, "more line"))
		}
		b.WriteString("\n</details>\n")
		if !m.Part(b.String()) {
			m.cut(len(m.result.Changes)-i, "changed file")
			return
		}
	}
}
