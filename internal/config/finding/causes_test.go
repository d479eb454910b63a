package finding

import (
	"fmt"
	"testing"
)

func TestLimited(t *testing.T) {
	t.Parallel()
	note := func(rule, message string, line int) Finding {
		return Finding{Rule: rule, Severity: Note, Message: message, File: fmt.Sprintf("ring-%d/a.yaml", line), Range: Range{Line: line, Column: 1}}
	}
	var all []Finding
	for i := range 3 {
		all = append(all, note("rbac/role-not-found", "no role", i+1), note("rbac/role-not-found", fmt.Sprintf("no role %d", i), i+1))
	}
	warning := note("rbac/role-not-found", "no role", 9)
	warning.Severity = Warning
	all = append(all, warning)
	if got := Limited(all, 6); len(got) != len(all) {
		t.Errorf("%d findings, want all %d", len(got), len(all))
	}
	got := Limited(all, 5)
	if len(got) != 5 || got[0].Places != 3 || len(got[0].Related) != 2 || got[0].Related[1].File != "ring-3/a.yaml" || got[4].Severity != Warning {
		t.Errorf("%d findings: %+v", len(got), got)
	}
}

func TestEntriesThatAreNotHere(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]string{
		"it does not exist":                                 "2 entries name files, folders, or kustomizations that do not exist",
		"it is ignored, by .gitignore:1":                    "2 entries name files or folders that git ignores",
		"it is not here, and is ignored, by a/.gitignore:1": "2 entries name files or folders that git ignores",
		"it is excluded by `exclude` in the settings":       "2 entries name files or folders that `exclude` in the settings excludes",
		"the checkout leaves it out":                        "2 entries name files or folders that the checkout leaves out",
		"it is not here until a script writes it":           "2 entries name files that scripts write",
		"it is a folder without a kustomization":            "2 entries name files, folders, or kustomizations that do not exist",
		"it is named A.yaml, and the case of names matters": "2 other places were not checked",
	} {
		var all []Finding
		for line := range 8 {
			f := Finding{Rule: RuleNotChecked.Name, Severity: Note, File: "kustomization.yaml", Range: Range{Line: line + 1}}
			f.Message = fmt.Sprintf("resources: \"f%d\" was not read: %s", line, reason)
			all = append(all, f)
		}
		got := Brief(all)
		if want = "8" + want[1:]; len(got) != 1 || got[0].Message[:len(want)] != want {
			t.Errorf("%s: %+v", reason, got)
		}
	}
}
