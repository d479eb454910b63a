package diff

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// newFileMode is the mode of created files, as git writes it. Git only warns when a deleted file has another.
const newFileMode = "100644"

// Unified prints the change of one file in git's format, "" when nothing changed. Path is relative to the directory the
// diff is applied in, with slashes. Before is nil for a new file, after is nil for a deleted one; an empty file is not
// nil. Hidden tells which lines of the old file must not be shown; nil hides none. The error is a *HiddenError where a
// change is among them.
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
		if err := hide(path, body.Hunks, hidden); err != nil {
			return "", err
		}
	}
	return header + body.String(), nil
}

// label is the name in a line that begins with --- or +++. Behind a name with a blank in it git puts a tab, for its own
// reader would otherwise take the blank for the end of the name.
func label(name string) string {
	quoted := quote(name)
	if quoted == name && strings.Contains(name, " ") {
		return name + "\t"
	}
	return quoted
}

// quote writes a name as git does: in double quotes and with C's escapes when it holds a control character, a quote, a
// backslash or a byte beyond ASCII; else as it is.
func quote(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
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
