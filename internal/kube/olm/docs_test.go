package olm

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// docsTable returns the rows of the table in docs/targets.md that begins with a header.
func docsTable(t *testing.T, header string) []string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(TargetsPage)))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(strings.ReplaceAll(string(page), "\r\n", "\n"), header+"\n")
	if !found {
		t.Fatalf("%s has no table %s", TargetsPage, header)
	}
	var rows []string
	for line := range strings.Lines(rest) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		if !strings.HasPrefix(line, "|---") {
			rows = append(rows, strings.TrimSuffix(line, "\n"))
		}
	}
	return rows
}

func TestDocsListTheTargets(t *testing.T) {
	t.Parallel()
	var want []string
	for _, target := range Targets() {
		want = append(want, fmt.Sprintf("| `%s` | `%s` | %s |", target.Name, target.Model, target.Source))
	}
	if diff := cmp.Diff(want, docsTable(t, "| target | model | source |")); diff != "" {
		t.Errorf("%s and the table in the program differ (-program +page):\n%s", TargetsPage, diff)
	}
}

func TestDocsListTheWeights(t *testing.T) {
	t.Parallel()
	got := map[SignalKind]int{}
	for _, row := range docsTable(t, "| signal | weight | identifies |") {
		cells := strings.Split(row, "|")
		weight, err := strconv.Atoi(strings.TrimSpace(cells[2]))
		if err != nil {
			t.Fatalf("%s: %v", row, err)
		}
		got[SignalKind(strings.Trim(cells[1], " `"))] = weight
	}
	if diff := cmp.Diff(weights, got); diff != "" {
		t.Errorf("%s and the weights in the program differ (-program +page):\n%s", TargetsPage, diff)
	}
}
