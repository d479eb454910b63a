package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/picture"
)

// Options say how a report is written.
type Options struct {
	// Color turns on ANSI colours of the text format.
	Color bool
	// Width is the number of columns that code frames of the text format may take, 0 for a width that suits files and pipes.
	Width int
	// Quiet leaves out everything but the findings from the text format.
	Quiet bool
	// Verbose adds what each finding was judged for, what its rule says, and all related places.
	Verbose bool
	// FailOn is the severity from which on a finding is a failure in the junit format; finding.Off makes none of them one.
	FailOn finding.Severity
	// Graph is drawn by the formats markdown and html: who is bound to what, with what the changes of the run make of it. Nil
	// leaves the picture out.
	Graph *picture.Graph
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
	{"junit", writeJUnit},
	{"markdown", writeMarkdown},
	{"html", writeHTML},
}

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
// ErrUnknown and names the formats there are.
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
	return format{}, fmt.Errorf("%w %q: use one of %s", ErrUnknown, name, strings.Join(Formats(), ", "))
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
