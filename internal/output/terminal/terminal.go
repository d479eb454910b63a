package terminal

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// When is the value of --color and of --progress.
type When string

// The values of --color and --progress.
const (
	Auto   When = "auto"
	Always When = "always"
	Never  When = "never"
)

// ParseWhen parses the value of a flag; the error names the flag and the valid values.
func ParseWhen(flag, value string) (When, error) {
	switch w := When(value); w {
	case Auto, Always, Never:
		return w, nil
	}
	return "", fmt.Errorf("--%s %q is unknown: use auto, always or never", flag, value)
}

// Output describes a writer, to decide how to write to it.
type Output struct {
	Terminal bool
	// Width is the number of columns, 0 if it is unknown.
	Width int
	// Getenv reads an environment variable, as os.Getenv does.
	Getenv func(string) string
}

// Look returns what kind of output a writer is. Only files can be terminals, also behind writers that have the method Unwrap.
func Look(w io.Writer) Output {
	o := Output{Getenv: os.Getenv}
	for {
		outer, ok := w.(interface{ Unwrap() io.Writer })
		if !ok {
			break
		}
		w = outer.Unwrap()
	}
	file, ok := w.(*os.File)
	if !ok {
		return o
	}
	fd := int(file.Fd())
	o.Terminal = term.IsTerminal(fd)
	if width, _, err := term.GetSize(fd); err == nil {
		o.Width = width
	}
	return o
}

// Columns returns the width of a terminal, and 0 for what is not one: lines in files and pipes have no width.
func (o Output) Columns() int {
	if !o.Terminal {
		return 0
	}
	return o.Width
}

// Color returns whether to write colors. The flag values always and never win; then NO_COLOR (https://no-color.org) turns
// colors off, CLICOLOR_FORCE (https://bixense.com/clicolors) turns them on, and otherwise they are on for a terminal that
// supports them.
func (o Output) Color(when When) bool {
	switch {
	case when != Auto:
		return when == Always
	case o.Getenv("NO_COLOR") != "":
		return false
	case o.Getenv("CLICOLOR_FORCE") != "" && o.Getenv("CLICOLOR_FORCE") != "0":
		return true
	default:
		return o.interactive()
	}
}

// Progress returns whether to show a progress line. CI servers sometimes offer a terminal, but nothing on it is watched.
func (o Output) Progress(when When) bool {
	if when != Auto {
		return when == Always
	}
	return o.interactive() && o.Getenv("CI") == ""
}

func (o Output) interactive() bool { return o.Terminal && o.Getenv("TERM") != "dumb" }
