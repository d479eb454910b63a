package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/salint/salint/internal/finding"
)

// Options say how a report is written. All but Width matter to the text format alone.
type Options struct {
	// Color turns on ANSI colours.
	Color bool
	// Width is the number of columns that code frames may take, 0 for a width that suits files and pipes.
	Width int
	// Quiet leaves out everything but the findings.
	Quiet bool
	// Verbose adds what each finding was judged for, what its rule says, and all related places.
	Verbose bool
}

// format writes a result, whose findings are sorted, to a buffered writer. Errors of the writer are sticky and seen
// when it is flushed, so formats need not look at them.
type format struct {
	name  string
	write func(w *bufio.Writer, r *finding.Result, o Options) error
}

// formats are those that exist, in the order in which help lists them.
var formats = []format{
	{"text", writeText},
	{"json", writeJSON},
	{"sarif", writeSARIF},
	{"github", writeGitHub},
}

// later are formats whose names are promised to users and that do not exist yet.
var later = []string{"junit", "markdown", "html"}

// ErrNotBuilt is wrapped by the error for a format that is planned and does not exist yet.
var ErrNotBuilt = errors.New("not built yet")

// ErrUnknown is wrapped by the error for a format that nobody has heard of.
var ErrUnknown = errors.New("unknown format")

// Formats names the formats that exist.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Check tells whether a format exists, so that a wrong name is refused before the work is done. The error wraps
// ErrNotBuilt or ErrUnknown and names the formats there are.
func Check(name string) error {
	_, err := find(name)
	return err
}

func find(name string) (format, error) {
	for _, f := range formats {
		if f.name == name {
			return f, nil
		}
	}
	names := strings.Join(Formats(), ", ")
	if slices.Contains(later, name) {
		return format{}, fmt.Errorf("the format %q is %w: use one of %s", name, ErrNotBuilt, names)
	}
	return format{}, fmt.Errorf("%w %q: use one of %s", ErrUnknown, name, names)
}

// Write prints a result in a format. The same result gives the same bytes, in whatever order its findings come; the
// result itself is not changed.
func Write(w io.Writer, name string, r *finding.Result, o Options) error {
	f, err := find(name)
	if err != nil {
		return err
	}
	sorted := *r
	sorted.Findings = slices.Clone(r.Findings)
	finding.Sort(sorted.Findings)
	out := bufio.NewWriter(w)
	if err := f.write(out, &sorted, o); err != nil {
		return fmt.Errorf("writing the %s report: %w", name, err)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the %s report: %w", name, err)
	}
	return nil
}
