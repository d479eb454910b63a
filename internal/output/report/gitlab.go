package report

import (
	"bufio"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/repo"
)

// The Code Quality report of GitLab: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
type (
	gitlabIssue struct {
		Description string         `json:"description"`
		CheckName   string         `json:"check_name"`
		Fingerprint string         `json:"fingerprint"`
		Severity    string         `json:"severity"`
		Location    gitlabLocation `json:"location"`
	}
	gitlabLocation struct {
		Path  string      `json:"path"`
		Lines gitlabLines `json:"lines"`
	}
	gitlabLines struct {
		Begin int `json:"begin"`
		End   int `json:"end"`
	}
)

// writeGitLab writes a list of issues. Fixed findings are left out, because GitLab treats missing issues as resolved. GitLab requires
// paths relative to the root of the repository, whatever the working directory of the job is.
func writeGitLab(w *bufio.Writer, r *finding.Result, _ Options) error {
	issues := []gitlabIssue{}
	for _, f := range r.Findings {
		if f.Fixed() {
			continue
		}
		place := f.Range.Whole()
		issues = append(issues, gitlabIssue{
			Description: gitlabDescription(f), CheckName: f.Rule, Fingerprint: f.Fingerprint(), Severity: gitlabSeverity(f.Severity),
			Location: gitlabLocation{gitlabPath(f.File), gitlabLines{place.Line, place.EndLine}},
		})
	}
	return safetext.JSON(w, issues)
}

// gitlabDescription is the message with the fix. GitLab has no other place for it.
func gitlabDescription(f finding.Finding) string {
	if f.Fix == nil {
		return f.Message
	}
	return f.Message + " " + offerText(f.Fix)
}

// gitlabPath returns a path for a finding without a file too, because the field is required.
func gitlabPath(file string) string {
	switch file {
	case "":
		return "."
	case repo.StandardInput:
		return "stdin"
	}
	return file
}

func gitlabSeverity(s finding.Severity) string {
	switch s {
	case finding.Error:
		return "critical"
	case finding.Warning:
		return "major"
	}
	return "info"
}
