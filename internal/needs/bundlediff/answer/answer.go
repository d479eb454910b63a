package answer

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/needs/bundlediff"
)

// Answer is what is to be printed.
type Answer struct {
	Old, New  Side
	Namespace string
	// Unnamed tells that nobody named the namespace, so that the name only stands for one: people read it in brackets.
	Unnamed bool
	Diff    bundlediff.Diff
	// Notes are what else is to be known, a sentence each.
	Notes []string
}

// Side is one of the versions: where it was read, and what it calls itself.
type Side struct{ Path, Name, Version string }

func (s Side) String() string {
	switch {
	case s.Name == "":
		return s.Path
	case s.Version == "" || strings.HasSuffix(s.Name, s.Version):
		return s.Name
	}
	return s.Name + " " + s.Version
}

// sides are the names of the versions; two of one name are told apart by where they lie.
func (a Answer) sides() (string, string) {
	older, newer := a.Old.String(), a.New.String()
	if older == newer {
		return a.Old.Path, a.New.Path
	}
	return older, newer
}

// Formats lists the names of the formats.
func Formats() []string { return []string{"text", "json", "markdown"} }

// CheckFormat says of a name that it is not one of them.
func CheckFormat(name string) error {
	if slices.Contains(Formats(), name) {
		return nil
	}
	return fmt.Errorf("%q is not a format of this command: use text, json or markdown", name)
}

// Write prints the answer in a format.
func (a Answer) Write(w io.Writer, format string) error {
	if err := CheckFormat(format); err != nil {
		return err
	}
	var text string
	switch format {
	case "json":
		return a.writeJSON(w)
	case "markdown":
		text = a.markdown()
	default:
		text = a.text()
	}
	if a.Unnamed && a.Namespace != "" {
		text = strings.ReplaceAll(text, a.Namespace, "<"+strings.ReplaceAll(a.Namespace, "-", " ")+">")
	}
	_, err := io.WriteString(w, text)
	return err
}

// headline says the most important thing in a sentence.
func (a Answer) headline() string {
	growing, dangerous := len(a.Diff.Growth), a.Diff.Dangerous()
	switch {
	case growing == 0 && len(a.Diff.Shrinkage) == 0:
		return "asks for the same as before"
	case growing == 0:
		return "asks for nothing more than before, and for less"
	case dangerous == 0:
		return "asks for more than before; nothing of it is known to be dangerous"
	case growing == 1:
		return "asks for more than before: 1 thing, and it is dangerous"
	}
	return fmt.Sprintf("asks for more than before: %s, %d of them dangerous", things(growing), dangerous)
}

func things(n int) string {
	if n == 1 {
		return "1 thing"
	}
	return fmt.Sprintf("%d things", n)
}

func (a Answer) text() string {
	var b strings.Builder
	older, newer := a.sides()
	line := func(format string, args ...any) { b.WriteString(safetext.Text(fmt.Sprintf(format, args...)) + "\n") }
	line("%s -> %s", older, newer)
	line("It %s.", a.headline())
	for _, list := range []struct {
		head, sign string
		changes    []bundlediff.Change
	}{{"More than before:", "+", a.Diff.Growth}, {"Less than before:", "-", a.Diff.Shrinkage}} {
		if len(list.changes) == 0 {
			continue
		}
		b.WriteByte('\n')
		line("%s", list.head)
		for _, c := range list.changes {
			sign := list.sign
			if len(c.Dangers) > 0 && sign == "+" {
				sign = "!"
			}
			line("%s %s", sign, titled(c))
			for _, what := range c.Lines(0) {
				line("    %s", what)
			}
		}
	}
	for i, note := range a.Notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		line("Note: %s", note)
	}
	return b.String()
}

// titled is the title with the dangers behind it.
func titled(c bundlediff.Change) string {
	if len(c.Dangers) == 0 {
		return c.Title()
	}
	return c.Title() + " [" + strings.Join(c.Dangers, "; ") + "]"
}
