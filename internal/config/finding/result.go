package finding

import "github.com/salint/salint/internal/kube/permission"

// Result is everything a report needs: the findings of a run, what it looked at and what it did.
type Result struct {
	// Version is the version of salint.
	Version string
	// Target is the one asked for on the command line or in the configuration, or what `auto` came to when all
	// deployment units agree.
	Target   Target
	Findings []Finding
	Summary  Summary
	// Reported is how many of the files findings were asked for; 0 stands for all.
	Reported int
	// Incomplete tells that something kept a part of the run from being done, such as a rule that failed: what has no findings may
	// still have problems.
	Incomplete bool
	// Rules are the rules that findings may name, for reports that carry a rule table.
	Rules []RuleInfo
	// Root is the absolute root of the repository; WorkDir the absolute working directory. Findings hold paths
	// relative to Root, reports print them relative to WorkDir.
	Root, WorkDir string
	// Source gives the text of a file of the repository as it was when it was linted, or nil.
	Source func(file string) []byte
	// Permissions are what the proven fixes do to permissions; nil when no fixes were proven.
	Permissions *permission.Report
	// Command is the command line that would apply the safe fixes, quoted for a shell and with --fix as its first flag
	// (`salint lint --fix prod`), for the closing hint. "" leaves the hint out.
	Command string
	// Mends tells that the run made its fixes, or with Preview only shows them. Changes are what they make of files, sorted, and
	// Notes what else is to be known about them.
	Mends, Preview bool
	Changes        []Change
	Notes          []string
	// FixCommand is like Command, and told of a run that mends as well, for what it leaves or does not write.
	FixCommand string
	// Untold are patterns of paths for which a target has to be named before the command, because no single one fits all.
	Untold []string
}

// Change is what the fixes of a run make of one file, which is relative to the root of the repository. Before is nil for a new
// file, After for one that is removed.
type Change struct {
	File          string
	Before, After []byte
}

// Target is the release or model a run was made for. DetectedFrom is the place that says so, file:line with the file
// relative to the root of the repository, or "" when the user asked for the target.
type Target struct {
	Name, Model, DetectedFrom string
}

// Summary counts.
type Summary struct {
	Files, Documents                           int
	Errors, Warnings, Notes, Suppressed, Fixed int
}

// RuleInfo is what a report prints about a rule.
type RuleInfo struct {
	Name, Title, Description, HelpURI string
	Severity                          Severity
	// Help is Markdown: why it matters and what to do. "" when the description says it all.
	Help string
	// Tags group rules in reports; the family is added by the report.
	Tags []string
}

// Count fills in the counts by severity from the findings that are not fixed.
func (s *Summary) Count(findings []Finding) {
	s.Errors, s.Warnings, s.Notes, s.Fixed = 0, 0, 0, 0
	for _, f := range findings {
		switch {
		case f.Fix != nil && f.Fix.Applied:
			s.Fixed++
		case f.Severity == Error:
			s.Errors++
		case f.Severity == Warning:
			s.Warnings++
		case f.Severity == Note:
			s.Notes++
		}
	}
}
