package safetext

import "strings"

// Error makes the text of an error safe to print. The line ends between errors that were joined stay. Others stay as
// well, with what follows indented, for a name out of a manifest may hold one: so it cannot pass for a message of its own.
// The runner of GitHub workflows obeys lines that begin with two colons: the first is written out.
func Error(err error) string {
	lines := strings.Split(errorText(err), "\n")
	for i, line := range lines {
		text := strings.TrimLeft(line, " ")
		if strings.HasPrefix(text, lineCommand) {
			lines[i] = line[:len(line)-len(text)] + "<U+003A>" + text[1:]
		}
	}
	return strings.Join(lines, "\n")
}

// lineCommand is how a line begins that the runner obeys.
const lineCommand = "::"

// errorText puts the text of an error together of those of the errors within it, whose line ends are told apart by that.
func errorText(err error) string {
	var b strings.Builder
	rest := err.Error()
	for _, inner := range within(err) {
		text := inner.Error()
		before, after, found := strings.Cut(rest, text)
		if text == "" || !found {
			continue
		}
		b.WriteString(between(before) + errorText(inner))
		rest = after
	}
	b.WriteString(between(rest))
	return b.String()
}

func within(err error) []error {
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		return e.Unwrap()
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return []error{inner}
		}
	}
	return nil
}

// between is what an error says itself.
func between(text string) string {
	if text == "\n" {
		return text // errors.Join
	}
	lines := strings.Split(strings.ReplaceAll(text, "\t", "    "), "\n")
	for i, line := range lines {
		lines[i] = Text(strings.TrimSuffix(line, "\r"))
		if i > 0 && line != "" {
			lines[i] = "  " + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}
