package built

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/salint/salint/internal/base/safetext"
)

// List prints units as a table, with the first reason why something is not known.
func List(w io.Writer, units []Unit) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "UNIT\tKIND\tCLUSTER\tTOOLS\tOBJECTS\tNOT APPLIED\tFILES\tNOT KNOWN")
	for _, u := range units {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%s\n", safetext.Text(u.Name), u.Kind, clusters(u.Clusters), orNone(u.Tools), len(u.Objects), len(u.NotApplied), len(u.Files), u.reason())
	}
	return table.Flush()
}

// reason returns the first problem, and how many more there are.
func (u Unit) reason() string {
	if len(u.NotKnown) == 0 {
		return "-"
	}
	text := safetext.Limit(safetext.Text(u.NotKnown[0].Message))
	if more := len(u.NotKnown) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}

// clusters returns the first cluster, and how many more there are.
func clusters(names []string) string {
	if len(names) == 0 {
		return "-"
	}
	text := safetext.Limit(safetext.Text(names[0]))
	if more := len(names) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}

func orNone(tools []string) string {
	if len(tools) == 0 {
		return "-"
	}
	return strings.Join(tools, ", ")
}
