package safetext

import "strings"

// Error makes the text of an error safe to print. Line ends between joined errors stay. Other line ends stay too, but the
// following line is indented, because a name in a manifest can contain a line end and must not pass for a separate message.
// The runner of GitHub workflows executes lines that begin with two colons, so the first colon is escaped. A line has a limit.
func Error(err error) string {
	lines := strings.Split(errorText(err), "\n")
	for i, line := range lines {
		line = Limit(line)
		lines[i] = line
		text := strings.TrimLeft(line, " ")
		if strings.HasPrefix(text, lineCommand) {
			lines[i] = line[:len(line)-len(text)] + escapedColon + text[1:]
		}
	}
	return strings.Join(lines, "\n")
}

// lineCommand is the beginning of a line that the runner executes.
const lineCommand = "::"

// errorText builds the text of an error from the texts of the errors that it wraps, so that the line ends between them can
// be told from those inside them.
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

// between makes the text that an error adds to the errors that it wraps safe to print.
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
