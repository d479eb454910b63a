package formats

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/ask/change/unread"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// Printer writes reports.
type Printer struct {
	// Rel returns the path of a file relative to the working directory.
	Rel func(file string) string
	// FailOn is the severity from which on a report fails.
	FailOn finding.Severity
	// Repository is the name of the repository, for the head of a page; "" if it has none.
	Repository string
	// Version is the version of the program.
	Version string
}

// The limits of the text format for one change. The format json has everything.
const (
	textLines = 5
	textItems = 8
)

// text writes a report for a terminal.
func (p Printer) text(w io.Writer, r *change.Report) error {
	t := &textWriter{Printer: p}
	if !r.Nothing {
		t.line("Compared %s.", r.Compared())
	}
	for _, c := range r.Gained {
		t.gained(c)
	}
	t.list("Admission policies:", len(r.Policies), func(i int) string {
		return t.withPlace(r.Policies[i].Severity.String()+": "+r.Policies[i].Sentence(), r.Policies[i].Place, r.Policies[i].Units)
	})
	extensions := alikeExtensions(r.Extensions)
	t.list("Extensions:", len(extensions), func(i int) string {
		e := extensions[i]
		return t.withPlace(e.Severity.String()+": "+e.Sentence(), e.Place, e.Units) + e.likewise()
	})
	t.list("Other objects that give power:", len(r.Objects), func(i int) string {
		o := r.Objects[i]
		return t.withPlace(o.Severity.String()+": "+o.Sentence()+o.In(), o.Place, nil)
	})
	t.list("Moved deployment units:", len(r.Moved), func(i int) string {
		return t.withPlace(r.Moved[i].Severity.String()+": "+r.Moved[i].Sentence(), r.Moved[i].Place, nil)
	})
	t.list("Less power:", len(r.Lost), func(i int) string { return r.Lost[i].Sentence(false) + change.UnitsText(r.Lost[i].Units) })
	t.list("New identities:", len(r.Appeared), func(i int) string {
		return access.SubjectName(r.Appeared[i].Subject) + change.UnitsText(r.Appeared[i].Units)
	})
	t.list("Identities that are gone:", len(r.Vanished), func(i int) string {
		return access.SubjectName(r.Vanished[i].Subject) + change.UnitsText(r.Vanished[i].Units)
	})
	newer, others := byRevision(r.NotRead)
	listed := slices.DeleteFunc(slices.Clone(others), isOld)
	t.list("Not read, so new power in it is unknown:", len(listed), func(i int) string {
		return t.withPlace(listed[i].Sentence(), listed[i].Place, nil)
	})
	t.all("Not read, at another revision of the same source:", len(newer), func(i int) string {
		return t.withPlace(newer[i].Sentence(), newer[i].Place, nil)
	})
	t.WriteByte('\n')
	if text := notReadBefore(others); text != "" {
		t.line("%s%s", text, inJSON)
	}
	if text := p.notCompared(r); text != "" {
		t.line("%s", text)
	}
	t.line("%s", r.Result(p.FailOn))
	t.line("%s.", r.Headline())
	_, err := io.WriteString(w, t.String())
	return err
}

type textWriter struct {
	Printer
	strings.Builder
}

func (t *textWriter) line(format string, args ...any) {
	t.WriteString(safetext.Text(fmt.Sprintf(format, args...)) + "\n")
}

func (t *textWriter) gained(c change.Change) {
	t.WriteByte('\n')
	t.line("%s: %s [%s]", c.Severity, c.Sentence(true), c.Rule())
	for _, danger := range c.Dangers {
		t.line("    ! %s", danger)
		for i, step := range c.ChainAfter(danger) {
			t.line("      %d. %s", i+1, step)
		}
	}
	for _, rule := range limited(c.RuleLines(textItems), textLines, inJSON) {
		t.line("    + %s", rule)
	}
	through := c.Through()
	for i, by := range through {
		if i == textLines && len(through) > textLines+2 {
			t.line("    by %d more", len(through)-i-1)
		}
		if i < textLines || i == len(through)-1 || len(through) <= textLines+2 {
			t.line("    by %s", t.withPlace(by.Text, by.Place, nil))
		}
	}
	if units := change.UnitsText(c.Units); units != "" {
		t.line("   %s", units)
	}
}

// limited cuts a list, and says how many are left out, and where they are.
func limited(lines []string, most int, where string) []string {
	if len(lines) <= most+1 {
		return lines
	}
	return append(lines[:most:most], fmt.Sprintf("and %d more", len(lines)-most)+where)
}

// inJSON says on a terminal where all of a list is.
const inJSON = " (--format json lists all)"

// byRevision separates the sources of which only the revision differs, which are one note.
func byRevision(list []unread.Part) (newer, others []unread.Part) {
	for _, n := range list {
		if n.IsNewerRevision() {
			newer = append(newer, n)
		} else {
			others = append(others, n)
		}
	}
	return newer, others
}

// notReadBefore counts what was not read in either state; "" if that is nothing.
func notReadBefore(all []unread.Part) string {
	old := readInNeither(all)
	if len(old) == 0 {
		return ""
	}
	return unread.Parts(old).Count() + " not read before this change either"
}

func readInNeither(all []unread.Part) []unread.Part {
	return slices.DeleteFunc(slices.Clone(all), func(n unread.Part) bool { return !isOld(n) })
}

// list writes a section, unless it is empty.
func (t *textWriter) list(title string, n int, item func(i int) string) {
	var lines []string
	for i := range n {
		lines = append(lines, item(i))
	}
	lines = limited(lines, textSection, inJSON)
	t.all(title, len(lines), func(i int) string { return lines[i] })
}

// all writes a section with every item, unless it is empty.
func (t *textWriter) all(title string, n int, item func(i int) string) {
	if n == 0 {
		return
	}
	t.WriteByte('\n')
	t.line("%s", title)
	for i := range n {
		t.line("  %s", item(i))
	}
}

// textSection is the maximum number of lines in a section.
const textSection = 20

func (t *textWriter) withPlace(text string, at objects.Position, units []string) string {
	text += change.UnitsText(units)
	if at.File == "" {
		return text
	}
	return fmt.Sprintf("%s (%s:%d)", text, t.Rel(at.File), at.Line)
}

// notCompared returns what of the change is not compared, with the files; "" if there is none.
func (p Printer) notCompared(r *change.Report) string {
	var parts []string
	for _, u := range r.Uncompared {
		files := make([]string, len(u.Files))
		for i, file := range u.Files {
			files[i] = p.Rel(file)
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", u.What, words.First(mostUncompared, files)))
	}
	if len(parts) == 0 {
		return ""
	}
	return "Changed, and not compared: " + strings.Join(parts, "; ")
}

// mostUncompared is how many files are named of each part of the change that is not compared.
const mostUncompared = 3
