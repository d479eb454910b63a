package built

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
)

// YAML prints units as documents. Comments name the unit, its tools, and what of it is not known, and before each object its source. Rel
// makes the path of a file one of the working directory.
func YAML(w io.Writer, units []Unit, rel func(string) string) error {
	var out bytes.Buffer
	for _, u := range units {
		u.comment(&out, rel)
		for _, o := range u.Objects {
			if err := o.document(&out, rel); err != nil {
				return err
			}
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

// comment writes what is known about a unit.
func (u Unit) comment(out *bytes.Buffer, rel func(string) string) {
	line := func(format string, args ...any) { fmt.Fprintln(out, "# "+safetext.Text(fmt.Sprintf(format, args...))) }
	line("%s: %s", u.Title, words.Count(len(u.Objects), "object"))
	if len(u.AppliedBy) > 0 {
		line("applied by %s", strings.Join(u.AppliedBy, ", "))
	}
	if u.Namespace != "" {
		line("objects without a namespace are applied to %s", u.Namespace)
	}
	for _, p := range u.NotApplied {
		line("not applied: %s:%d: %s", rel(p.Position.File), p.Position.Line, p.Message)
	}
	for _, p := range u.NotKnown {
		line("not known: %s:%d: %s", rel(p.Position.File), p.Position.Line, p.Message)
	}
}

func (o Object) document(out *bytes.Buffer, rel func(string) string) error {
	source, value := o.Source(), o.Value()
	fmt.Fprintf(out, "---\n# %s:%d\n", safetext.Text(rel(source.File)), source.Line)
	text, err := yaml.Marshal(value)
	if err != nil {
		return err
	}
	if isSafe(text) {
		out.Write(text)
		return nil
	}
	return safetext.JSON(out, value) // which is YAML, too, and can escape every character
}

// isSafe reports whether no line has a character that a terminal or a workflow would obey or hide.
func isSafe(text []byte) bool {
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if safetext.Text(line) != line || safetext.IsCommand(line) {
			return false
		}
	}
	return true
}
