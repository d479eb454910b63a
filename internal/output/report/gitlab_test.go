package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/repo"
)

// GitLab ignores a report in which one issue lacks a required field, and shows one of several issues with the same fingerprint.
func TestGitLab(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*finding.Result{"mixed": mixed(t), "fixed": fixed(t), "hostile": hostile(t), "clean": clean(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			decoder := json.NewDecoder(bytes.NewReader(render(t, "gitlab", r, Options{})))
			decoder.DisallowUnknownFields()
			var issues []gitlabIssue
			if err := decoder.Decode(&issues); err != nil || issues == nil {
				t.Fatalf("%v, or null instead of a list", err)
			}
			var fingerprints []string
			for _, issue := range issues {
				if issue.Description == "" || issue.CheckName == "" || issue.Fingerprint == "" || issue.Location.Path == "" || issue.Location.Lines.Begin < 1 {
					t.Errorf("a required field is empty: %+v", issue)
				}
				if !slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, issue.Severity) {
					t.Errorf("severity %q", issue.Severity)
				}
				if slices.Contains(fingerprints, issue.Fingerprint) {
					t.Errorf("fingerprint %s is not unique", issue.Fingerprint)
				}
				fingerprints = append(fingerprints, issue.Fingerprint)
			}
			open := 0
			for _, f := range r.Findings {
				if !f.Fixed() {
					open++
				}
			}
			if len(issues) != open {
				t.Errorf("%d issues of %d open findings", len(issues), open)
			}
		})
	}
}

func TestGitLabPlaces(t *testing.T) {
	t.Parallel()
	r := &finding.Result{Root: "/src", WorkDir: "/src/prod", Findings: []finding.Finding{
		{Rule: "a/b", Severity: finding.Error, Message: "m", File: "prod/x.yaml", Range: finding.Range{Line: 3, EndLine: 5}},
		{Rule: "repo/x", Severity: finding.Note, Message: "n"},
		{Rule: "repo/y", Severity: finding.Warning, Message: "o", File: repo.StandardInput, Fix: &finding.Fix{Kind: finding.Unsafe, Description: "Do it"}},
	}}
	var got []gitlabIssue
	if err := json.Unmarshal(render(t, "gitlab", r, Options{}), &got); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i].Fingerprint = ""
	}
	want := []gitlabIssue{
		{Description: "n", CheckName: "repo/x", Severity: "info", Location: gitlabLocation{".", gitlabLines{1, 1}}},
		{Description: "o fix: Do it (unsafe; --fix --unsafe-fixes)", CheckName: "repo/y", Severity: "major", Location: gitlabLocation{"stdin", gitlabLines{1, 1}}},
		{Description: "m", CheckName: "a/b", Severity: "critical", Location: gitlabLocation{"prod/x.yaml", gitlabLines{3, 5}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
