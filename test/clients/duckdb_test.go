package clients

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTotalsEqualDuckDB compares the report on many repositories with sums that DuckDB makes over the same files.
func TestTotalsEqualDuckDB(t *testing.T) {
	t.Parallel()
	node := client(t, "node", "install Node.js")
	if os.Getenv("DUCKDB") == "" {
		t.Skip("DUCKDB is not set: run npm install --prefix FOLDER @duckdb/node-api, and set it to FOLDER")
	}
	bin, dir := salintFolder(t), t.TempDir()
	reports := filepath.Join(dir, "reports")
	command{t: t, dir: projectRoot(t), name: "go", args: []string{"run", "./bench/generate", "-reports", "60", "-findings", "5000", reports}}.succeed()
	sums := command{t: t, dir: projectRoot(t), name: node, args: []string{"test/clients/duckdb.mjs", reports}}.succeed()
	var want map[string][][]string
	if err := json.Unmarshal([]byte(sums), &want); err != nil {
		t.Fatalf("%v:\n%s", err, sums)
	}
	text := command{t: t, name: filepath.Join(bin, "salint"), args: []string{"report", reports, "--format", "json"}}.succeed()
	var report struct {
		Summary      map[string]any
		Repositories []struct {
			Repository string
			Counts     []struct {
				Target, Rule            string
				Errors, Warnings, Notes int
			}
			Extensions []struct {
				Target     string
				Extensions int
			}
		}
		ClusterAdmins []json.RawMessage
	}
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		t.Fatal(err)
	}
	s := report.Summary
	got := map[string][][]string{
		"severities": {{"error", fmt.Sprint(s["errors"])}, {"note", fmt.Sprint(s["notes"])}, {"warning", fmt.Sprint(s["warnings"])}},
		"fixes":      {{"prune", fmt.Sprint(s["prune"])}, {"safe", fmt.Sprint(s["safe"])}, {"unsafe", fmt.Sprint(s["unsafe"])}},
		"admins":     {{fmt.Sprint(len(report.ClusterAdmins))}},
	}
	for _, r := range report.Repositories {
		for _, n := range r.Counts {
			got["counts"] = append(got["counts"], []string{r.Repository, n.Target, n.Rule, fmt.Sprint(n.Errors + n.Warnings + n.Notes)})
		}
		for _, n := range r.Extensions {
			got["extensions"] = append(got["extensions"], []string{r.Repository, n.Target, fmt.Sprint(n.Extensions)})
		}
	}
	for _, rows := range []map[string][][]string{got, want} {
		for _, list := range rows {
			slices.SortFunc(list, func(a, b []string) int { return strings.Compare(strings.Join(a, "\x00"), strings.Join(b, "\x00")) })
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-DuckDB +salint):\n%s", diff)
	}
}
