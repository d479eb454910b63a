package diff

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// newFileMode is the mode of created files, as git writes it. Git only warns if a deleted file has a different mode.
const newFileMode = "100644"

// Unified returns the change of one file in git's format, or "" if nothing changed. Path is relative to the directory in
// which the diff is applied, with slashes. Before is nil for a new file, after is nil for a deleted one; an empty file is
// not nil. Hidden returns whether a line of the old file must not be shown; nil hides none. The error is a *HiddenError if
// a hidden line changed.
func Unified(path string, before, after []byte, hidden func(line int) bool) (string, error) {
	if (before == nil) == (after == nil) && string(before) == string(after) {
		return "", nil
	}
	oldName, newName := label("a/"+path), label("b/"+path)
	header := fmt.Sprintf("diff --git %s %s\n", quote("a/"+path), quote("b/"+path))
	switch {
	case before == nil:
		header += "new file mode " + newFileMode + "\n"
		oldName = "/dev/null"
	case after == nil:
		header += "deleted file mode " + newFileMode + "\n"
		newName = "/dev/null"
	}
	edits := udiff.Lines(string(before), string(after))
	body, err := udiff.ToUnifiedDiff(oldName, newName, string(before), edits, udiff.DefaultContextLines)
	if err != nil {
		return "", fmt.Errorf("%s: diff: %w", path, err)
	}
	if hidden != nil {
		body.Hunks = split(body.Hunks, hidden)
		if err := hide(path, body.Hunks, hidden); err != nil {
			return "", err
		}
	}
	return header + body.String(), nil
}

// label returns the name for a line that begins with --- or +++. Git adds a tab after a name with a space, because its
// parser would otherwise end the name at the space.
func label(name string) string {
	quoted := quote(name)
	if quoted == name && strings.Contains(name, " ") {
		return name + "\t"
	}
	return quoted
}

// quote writes a name as git does: in double quotes with C escapes if it contains a control character, a quote, a backslash
// or a byte beyond ASCII; otherwise unchanged.
func quote(name string) string {
	var b strings.Builder
	for i, c := range []byte(name) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '[' && strings.HasSuffix(name[:i], "##"): // the runner of a workflow obeys ##[
			b.WriteString(`\133`)
		case escapes[c] != 0:
			b.WriteByte('\\')
			b.WriteByte(escapes[c])
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	if b.Len() == len(name) {
		return name
	}
	return `"` + b.String() + `"`
}

var escapes = [256]byte{'\a': 'a', '\b': 'b', '\t': 't', '\n': 'n', '\v': 'v', '\f': 'f', '\r': 'r'}
