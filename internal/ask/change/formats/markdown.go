package formats

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/ask/change/unread"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/output/markdown"
)

// A comment is read in ten seconds if it has one sentence and a short list. The rest is folded.
const (
	shownChanges = 10
	shownHolders = 20
	shownFolded  = 200
)

// marks show severities.
var marks = map[finding.Severity]string{finding.Error: "🔴", finding.Warning: "🟠", finding.Note: "⚪"}

// markdown writes a report as a comment on a pull request.
func (p Printer) markdown(w io.Writer, r *change.Report) error {
	m := &comment{Printer: p, report: r}
	m.Part(fmt.Sprintf("## salint: %s\n\n", markdown.Text(r.Headline())))
	m.summary()
	m.changes()
	m.fold("Details", len(r.Gained), func(i int) string { return m.details(r.Gained[i]) })
	if extensions := alikeExtensions(r.Extensions); len(extensions) > shownChanges {
		m.fold("Extensions", len(extensions), func(i int) string { return m.extension(extensions[i]) })
	}
	m.fold("Less power", len(r.Lost), func(i int) string {
		return markdown.Text(r.Lost[i].Sentence(false)+change.UnitsText(r.Lost[i].Units)) + "\n"
	})
	m.fold("New identities", len(r.Appeared), func(i int) string { return identityText(r.Appeared[i]) })
	m.fold("Identities that are gone", len(r.Vanished), func(i int) string { return identityText(r.Vanished[i]) })
	line := func(n unread.Part) string { return markdown.Text(n.Sentence()) + m.at(n.Place) + "\n" }
	newer, others := byRevision(r.NotRead)
	listed := slices.DeleteFunc(slices.Clone(others), isOld)
	m.fold("Not read, so new power in it is unknown", len(listed), func(i int) string { return line(listed[i]) })
	m.fold("Not read, at another revision of the same source", len(newer), func(i int) string { return line(newer[i]) })
	if text := notReadBefore(others); text != "" {
		m.Part("\n" + text + ".\n")
	}
	compared := ""
	if !r.Nothing {
		compared = fmt.Sprintf("Compared %s. ", markdown.InTags(r.Compared()))
	}
	if text := p.notCompared(r); text != "" {
		compared += markdown.InTags(text) + ". "
	}
	m.Part(fmt.Sprintf("\n<sub>%s%s.</sub>\n", compared, markdown.InTags(r.Result(p.FailOn))))
	if m.Left > 0 {
		m.Close("\n**Cut to fit into a comment.** `salint diff --format json` has all.\n")
	}
	_, err := io.WriteString(w, m.String())
	return err
}

// isOld reports whether the change has nothing to do with why a part was not read.
func isOld(n unread.Part) bool { return n.Before && n.After && !n.Changed && !n.Unread() }

type comment struct {
	markdown.Comment
	Printer

	report *change.Report
}

// summary counts the changes by severity.
func (m *comment) summary() {
	var s finding.Summary
	s.Count(m.report.Findings())
	var parts []string
	for _, c := range []struct {
		n        int
		severity finding.Severity
		one      string
	}{{s.Errors, finding.Error, "error"}, {s.Warnings, finding.Warning, "warning"}, {s.Notes, finding.Note, "note"}} {
		if c.n > 0 {
			parts = append(parts, marks[c.severity]+" "+words.Count(c.n, c.one))
		}
	}
	if text := m.report.Warnings().String(); text != "" {
		parts = append(parts, text)
	}
	if len(parts) > 0 {
		m.Part(strings.Join(parts, " · ") + "\n\n")
	}
}

// changes lists the gravest changes, with one line each, and then policies, extensions, objects, moved units, and what is newly unread.
func (m *comment) changes() {
	r := m.report
	for i, c := range r.Gained {
		if i == shownChanges {
			m.Part(fmt.Sprintf("- and %s: see the details\n", words.Count(len(r.Gained)-i, "more change")))
			break
		}
		m.Part(fmt.Sprintf("- %s %s%s%s\n", marks[c.Severity], markdown.Text(c.Title()), m.at(c.Place()), markdown.Text(change.UnitsText(c.Units))))
		for n, step := range c.Chain {
			m.Part(fmt.Sprintf("  %d. %s\n", n+1, markdown.Text(step)))
		}
	}
	for i, p := range r.Policies {
		if i == shownChanges {
			m.Part(fmt.Sprintf("- and %s\n", words.Count(len(r.Policies)-i, "more policy")))
			break
		}
		m.Part(fmt.Sprintf("- %s %s%s%s\n", marks[p.Severity], markdown.Text(p.Sentence()), m.at(p.Place), markdown.Text(change.UnitsText(p.Units))))
	}
	extensions := alikeExtensions(r.Extensions)
	for i, e := range extensions {
		if i == shownChanges {
			m.Part(fmt.Sprintf("- and %s: see the extensions\n", words.Count(len(extensions)-i, "more extension")))
			break
		}
		m.Part("- " + m.extension(e))
	}
	for i, o := range r.Objects {
		if i == shownChanges {
			m.Part(fmt.Sprintf("- and %s\n", words.Count(len(r.Objects)-i, "more object")))
			break
		}
		m.Part(fmt.Sprintf("- %s %s%s\n", marks[o.Severity], markdown.Text(o.Sentence()+o.In()), m.at(o.Place)))
	}
	for i, moved := range r.Moved {
		if i == shownChanges {
			m.Part(fmt.Sprintf("- and %s\n", words.Count(len(r.Moved)-i, "more moved unit")))
			break
		}
		m.Part(fmt.Sprintf("- %s %s%s\n", marks[moved.Severity], markdown.Text(moved.Title()), m.at(moved.Place)))
	}
	if n := r.NewlyUnread(); n > 0 {
		m.Part(fmt.Sprintf("- %s %s\n", marks[finding.Warning], change.UnreadText(n)))
	}
}

// extension is the line of extensions of which the same is said.
func (m *comment) extension(e extensions) string {
	return fmt.Sprintf("%s %s%s%s%s\n", marks[e.Severity], markdown.Text(e.Sentence()), m.at(e.Place), markdown.Text(change.UnitsText(e.Units)), markdown.Text(e.likewise()))
}

func (m *comment) at(place objects.Position) string {
	if place.File == "" {
		return ""
	}
	return " (" + markdown.Code(fmt.Sprintf("%s:%d", place.File, place.Line)) + ")"
}

// details lists the permissions of a change, and how they are held.
func (m *comment) details(c change.Change) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s (%s)%s\n", marks[c.Severity], markdown.Text(c.Sentence(true)), markdown.Code(c.Rule()), markdown.Text(change.UnitsText(c.Units)))
	for _, danger := range c.Dangers {
		fmt.Fprintf(&b, "  - **%s**\n", markdown.Text(danger))
	}
	for _, rule := range limited(c.RuleLines(textItems), textLines, "") {
		fmt.Fprintf(&b, "  - %s\n", markdown.Code(rule))
	}
	through := c.Through()
	for i, by := range through {
		if i >= shownHolders && i < len(through)-1 {
			continue
		}
		if i == len(through)-1 && i > shownHolders {
			fmt.Fprintf(&b, "  - by %d more\n", i-shownHolders)
		}
		fmt.Fprintf(&b, "  - by %s%s\n", markdown.Text(by.Text), m.at(by.Place))
	}
	return b.String()
}

func identityText(i change.Identity) string {
	return markdown.Text(access.SubjectName(i.Subject)+change.UnitsText(i.Units)) + "\n"
}

// fold writes a folded list, unless it is empty.
func (m *comment) fold(title string, n int, item func(i int) string) {
	if n == 0 {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n<details><summary>%s (%d)</summary>\n\n", title, n)
	const end = "\n</details>\n"
	for i := range n {
		text := "- " + item(i)
		if i == shownFolded || !m.Fits(b.String()+text+end) {
			m.Left += n - i
			fmt.Fprintf(&b, "- and %d more\n", n-i)
			break
		}
		b.WriteString(text)
	}
	m.Part(b.String() + end)
}
