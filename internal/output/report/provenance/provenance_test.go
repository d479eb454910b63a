package provenance

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
)

func TestProperties(t *testing.T) {
	t.Parallel()
	r := &finding.Result{Version: "1.2.3", Origin: finding.Provenance{Repository: "git.example.org/acme/shop"}, Summary: finding.Summary{Files: 3, NotChecked: 1}}
	if got := Properties(r); got != nil {
		t.Errorf("without a record: %v", got)
	}
	r.Run = &finding.Run{Selection: finding.Selection{Only: []string{"token/*"}}}
	if got := Properties(r); got != nil {
		t.Errorf("with a part of a record: %v", got)
	}
	r.Run.Date, r.Run.Commit, r.Run.Ignored = "2026-01-31", "1f", 4
	r.Run.RulesOff = []string{"olm/a", "rbac/b"}
	r.Run.Platform = []finding.Narrowing{{File: "central.yaml", Origin: finding.OfCommand, SHA256: "ab"}}
	r.Run.Repositories = []finding.RunRepository{{Name: "shop", WorkTree: finding.WorkTree{Changed: 2}}}
	got := map[string]string{}
	for i, p := range Properties(r) {
		if i > 0 && p.Name <= Properties(r)[i-1].Name {
			t.Errorf("%s is out of order", p.Name)
		}
		got[p.Name] = p.Value
	}
	want := map[string]string{
		"tool.name": "salint", "tool.version": "1.2.3", "tool.commit": "1f", "source.repository": "git.example.org/acme/shop",
		"run.date": "2026-01-31", "run.only": "token/*", "run.rulesOff": "olm/a, rbac/b", "run.ignored": "4", "run.baseline.findings": "0",
		"run.platform.0.file": "central.yaml", "run.platform.0.origin": "command", "run.platform.0.sha256": "ab",
		"run.workTree.changed": "0", "run.workTree.compared": "false", "run.workTree.leftOut": "0",
		"run.repositories.0.name": "shop", "run.repositories.0.workTree.changed": "2", "run.repositories.0.workTree.compared": "false", "run.repositories.0.workTree.leftOut": "0",
		"summary.files": "3", "summary.documents": "0", "summary.notChecked": "1", "summary.notShown": "0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestRecord reads what was written.
func TestRecord(t *testing.T) {
	t.Parallel()
	want := &finding.Run{
		Date: "2026-01-31", Settings: "ab", Policies: "cd",
		Selection: finding.Selection{Paths: []string{"a"}, Only: []string{"b"}, ChangedSince: "c"},
		Silencing: finding.Silencing{RulesOff: []string{"d"}, Exclude: []string{"e"}, Tests: []string{"f"}, Baseline: "g", Known: 1, Ignored: 2},
		Platform:  []finding.Narrowing{{File: "h", Origin: finding.OfRepository, SHA256: "i"}},
		WorkTree:  finding.WorkTree{Compared: true, Changed: 3, LeftOut: 4},
		Repositories: []finding.RunRepository{{
			Name: "j", Folder: "k", Provenance: finding.Provenance{Repository: "l", Revision: "m"}, Settings: "n", WorkTree: finding.WorkTree{Changed: 5},
		}},
	}
	text, err := json.Marshal(RunOf(want))
	if err != nil {
		t.Fatal(err)
	}
	var read Run
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, read.Record()); diff != "" {
		t.Error(diff)
	}
}
