package answer

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/crdsafety"
	"github.com/salint/salint/internal/needs/bundlediff"
)

// Answer is the result to print.
type Answer struct {
	Old, New  Side
	Namespace string
	// NamespaceUnknown is set if no namespace was given: Namespace is then a placeholder, shown in brackets.
	NamespaceUnknown bool
	// Unknown are further placeholders of namespaces.
	Unknown []string
	Diff    bundlediff.Diff
	// Definitions is what the release, which By names, does with changes of definitions.
	Definitions crdsafety.Result
	By          string
	// Refused is why the release does not install the new version; nil if it does. RefusedSince is set if the old version has no such reason.
	Refused      *bundlesupport.Obstacle
	RefusedSince bool
	// OtherMode is set if the extension must set another namespace to watch, or none, to be upgraded.
	OtherMode bool
	// Notes are further notes, one sentence each.
	Notes []string
}

// Side is one of the versions: its path, and the name in its metadata.
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

// sides returns the names of the versions; two versions with the same name are distinguished by path.
func (a Answer) sides() (string, string) {
	older, newer := a.Old.String(), a.New.String()
	if older == newer {
		return a.Old.Path, a.New.Path
	}
	return older, newer
}

// Formats returns the names of the formats.
func Formats() []string { return []string{"text", "json", "markdown"} }

// CheckFormat returns an error if a name is not one of a format.
func CheckFormat(name string) error {
	if slices.Contains(Formats(), name) {
		return nil
	}
	return nearest.Unknown("format", name, Formats())
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
	unknown := a.Unknown
	if a.NamespaceUnknown && a.Namespace != "" {
		unknown = append([]string{a.Namespace}, unknown...)
	}
	for _, name := range unknown {
		text = strings.ReplaceAll(text, name, "<"+strings.ReplaceAll(name, "-", " ")+">")
	}
	_, err := io.WriteString(w, text)
	return err
}

// headline returns the result in one sentence.
func (a Answer) headline() string {
	text := a.required()
	switch n := len(a.Definitions.Blocked); {
	case n > 0:
		text += ", and " + a.By + " blocks the upgrade by default because of " + words.CountOf(n, "definition", "definitions")
	case a.Definitions.NotCompared:
		text += ", and it is not known whether definitions block the upgrade"
	}
	if n := len(a.Definitions.Deleted); n > 0 {
		text += ", and the upgrade deletes " + words.CountOf(n, "definition with its objects", "definitions with their objects")
	}
	switch {
	case a.Refused == nil && a.OtherMode:
		text += ", and the extension must change the namespace to watch"
	case a.Refused == nil:
	case a.Refused.Gate == "":
		text += ", and " + a.By + " does not install the new version"
	default:
		text += ", and " + a.By + " does not install the new version unless a feature gate is on"
	}
	return text
}

// Fine reports whether the new version needs nothing more, and can replace the old one as far as that is known.
func (a Answer) Fine() bool {
	refused := a.Refused != nil && (a.RefusedSince || a.Refused.Hard())
	return !a.Diff.Grows() && len(a.Definitions.Deleted) == 0 && len(a.Diff.NotCompared) == 0 && len(a.Definitions.Blocked) == 0 && !a.Definitions.NotCompared && !refused && !a.OtherMode
}

// required says whether the new version requires more.
func (a Answer) required() string {
	growing, dangerous := len(a.Diff.Growth), a.Diff.Dangerous()
	switch {
	case len(a.Diff.NotCompared) > 0 && growing+len(a.Diff.Shrinkage) == 0:
		return "has no difference in what could be compared, which is not all"
	case len(a.Diff.NotCompared) > 0 && growing == 0:
		return "requires less than before, and nothing more in what could be compared, which is not all"
	case growing == 0 && len(a.Diff.Shrinkage) == 0:
		return "requires the same as before"
	case growing == 0:
		return "requires less than before, and nothing more"
	case dangerous == 0:
		return "requires more than before, nothing of it known to be dangerous"
	case growing == 1:
		return "requires more than before: 1 permission or object, and it is dangerous"
	}
	return fmt.Sprintf("requires more than before: %s, %d of them dangerous", things(growing), dangerous)
}

func things(n int) string {
	if n == 1 {
		return "1 permission or object"
	}
	return fmt.Sprintf("%d permissions or objects", n)
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
	for i, note := range a.notes() {
		if i == 0 {
			b.WriteByte('\n')
		}
		line("%s", note)
	}
	return b.String()
}

// notes returns what was not compared, and the notes, each with its introduction.
func (a Answer) notes() []string {
	var lines []string
	for _, what := range a.Diff.NotCompared {
		lines = append(lines, "Not compared: "+what+" allow more combinations of verbs and resources than salint compares. Review them by hand.")
	}
	for _, note := range a.allNotes() {
		lines = append(lines, "Note: "+note)
	}
	return lines
}

// allNotes returns the notes, with those about definitions first.
func (a Answer) allNotes() []string {
	return slices.Concat(a.Definitions.Notes(a.By), a.Notes)
}

// titled returns the title with the dangers appended.
func titled(c bundlediff.Change) string {
	if len(c.Dangers) == 0 {
		return c.Title()
	}
	return c.Title() + " [" + strings.Join(c.Dangers, "; ") + "]"
}
