package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/picture"
)

// Options control how a report is written.
type Options struct {
	// GravestFirst sorts findings by their severity, and those of one severity by their place.
	GravestFirst bool
	// Color turns on ANSI colors in the text format.
	Color bool
	// Width is the width of code frames in the text format, or 0 for a width that suits files and pipes.
	Width int
	// Quiet limits the text format to the findings.
	Quiet bool
	// Verbose adds the target of each finding, the title of its rule, and all related places.
	Verbose bool
	// FoldNotes prints the number of notes in the text format instead of each note; what is not checked or fixed stays listed.
	FoldNotes bool
	// Group is how the text format orders the findings, and Statistics prints the number of findings of each rule instead.
	Group      Grouping
	Statistics bool
	// FailOn is the minimum severity of a failure in the junit format; with finding.Off there are none.
	FailOn finding.Severity
	// Headline is a sentence about all findings that the formats github and sarif begin with, and Summary the numbers of sarif for it. They are those of
	// commands other than lint.
	Headline string
	Summary  any
	// Graph is drawn by the formats markdown and html: identities, bindings and roles, with the changes of the run. Nil leaves
	// it out.
	Graph *picture.Graph
	// Chains are shown by the format html. Nil leaves them out.
	Chains *Chains
}

// Grouping is how the text format orders and joins findings.
type Grouping string

// The values of --group. The zero value is ByCause.
const (
	ByCause Grouping = "cause" // what differs only in names is one, the gravest first
	ByFile  Grouping = "file"  // under the name of each file
	ByRule  Grouping = "rule"  // with the explanation of each rule once
	ByPlace Grouping = "none"  // each by itself, in the order of the machine formats
)

// Groupings are all values of --group.
func Groupings() []string {
	return []string{string(ByCause), string(ByFile), string(ByRule), string(ByPlace)}
}

// format writes a result with sorted findings to a buffered writer. Errors of the writer are kept until it is flushed, so
// formats need not check them.
type format struct {
	name  string
	write func(w *bufio.Writer, r *finding.Result, o Options) error
}

// formats are all formats, in the order of the help.
var formats = []format{
	{"text", writeText},
	{"compact", writeCompact},
	{"json", writeJSON},
	{"sarif", writeSARIF},
	{"github", writeGitHub},
	{"gitlab", writeGitLab},
	{"junit", writeJUnit},
	{"markdown", writeMarkdown},
	{"html", writeHTML},
}

// Formats returns the names of all formats.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Check returns an error if a format does not exist, so that a wrong name is rejected before the run. The error lists
// all formats.
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
	return format{}, nearest.Unknown("format", name, Formats())
}

// sortedOf returns a sorted copy of findings with messages of a limited length.
func sortedOf(findings []finding.Finding) []finding.Finding {
	sorted := slices.Clone(findings)
	finding.Sort(sorted)
	for i := range sorted {
		sorted[i].Message = safetext.Limit(sorted[i].Message)
	}
	return sorted
}

// Write writes a result in a format. The bytes do not depend on the order of the findings, and the result is not changed.
func Write(w io.Writer, name string, r *finding.Result, o Options) error {
	f, err := find(name)
	if err != nil {
		return err
	}
	sorted := *r
	sorted.Findings, sorted.Suppressed = sortedOf(r.Findings), sortedOf(r.Suppressed)
	if o.GravestFirst {
		slices.SortStableFunc(sorted.Findings, func(a, b finding.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	}
	out := bufio.NewWriter(w)
	if err := f.write(out, &sorted, o); err != nil {
		return fmt.Errorf("writing the %s report: %w", name, err)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the %s report: %w", name, err)
	}
	return nil
}
