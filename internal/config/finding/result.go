package finding

import (
	"slices"

	"github.com/salint/salint/internal/kube/permission"
)

// Result is everything that a report needs: the findings of a run, what was read and what was done.
type Result struct {
	// Version is the version of salint.
	Version string
	// Category separates the findings of another command than lint in code scanning; "" for lint.
	Category string
	// Target is the target that the command line or the configuration sets, or the one that `auto` detected if all deployment
	// units agree.
	Target   Target
	Findings []Finding
	// Suppressed are the silenced findings, which are only set if they are to be shown. They count in the summary alone.
	Suppressed []Finding
	Summary    Summary
	// Origin is the repository and its revision, for formats that reports of many repositories are made from.
	Origin Provenance
	// Run is how the report was made; nil if no format of the run contains it.
	Run *Run
	// ChangedSince is the revision of --changed-since, "" without one.
	ChangedSince string
	// Extensions are the extensions that were evaluated, sorted by file, line, name, and unit.
	Extensions []Extension
	// Inventory is nil if no report needs it.
	Inventory *Inventory
	// Reported is the number of files that findings are reported on; 0 means all.
	Reported int
	// Unread is the number of files that findings are reported on and that were not read, so that they are not among Reported.
	Unread int
	// Elsewhere is the number of applications in these files that take objects from other repositories.
	Elsewhere int
	// Incomplete is true if part of the run failed, such as a rule: files without findings can still have problems.
	Incomplete bool
	// Rules are the rules that findings can name, for reports that contain a rule table.
	Rules []RuleInfo
	// Root is the absolute root of the repository, WorkDir the absolute working directory. Findings hold paths relative to
	// Root; reports print them relative to WorkDir.
	Root, WorkDir string
	// Source returns the text of a file of the repository as it was when it was linted, or nil.
	Source func(file string) []byte
	// Permissions are the effects of the verified fixes on permissions; nil if no fixes were verified.
	Permissions *permission.Report
	// Command is the command line that would apply the safe fixes, for the closing hint, quoted for a shell and with --fix as
	// its first flag (`salint lint --fix prod`). If it is "", the hint is left out.
	Command string
	// PruneCommand takes the place of Command for what is pruned; "" if it is the same.
	PruneCommand string
	// Failure is why the exit code is 1, in words; "" if it is another.
	Failure string
	// Fixing is true if the run made its fixes, Preview if it only shows them. Changes are the changed files, sorted, and
	// Notes are remarks about them.
	Fixing, Preview bool
	Changes         []Change
	Notes           []string
	// ChangedUnits are the deployment units whose applied objects the changes change, sorted.
	ChangedUnits []Unit
	// FixCommand is like Command, but is also set in runs that fix, for the findings that they leave or do not write.
	FixCommand string
}

// Provenance is where the files of a run come from. Both fields are "" if they are unknown.
type Provenance struct {
	// Repository is the host and path of the repository, as in example.org/group/project, or another name that the user gave it.
	Repository string
	// Revision is the commit that is checked out. The files of the work tree can differ from it.
	Revision string
	// Named is true if the user gave the name: results of several repositories are then kept in one place.
	Named bool
}

// Extension is an extension in one deployment unit, with the target on which it was judged.
type Extension struct {
	// Name is "" if it is unknown. Package is the package that it installs; "" if it is unknown.
	Name, Package string
	// File is relative to the root of the repository.
	File string
	Line int
	// Target is the release or model, auto if none is known, and Model is how it treats the account.
	Target, Model string
	// Account is the state of the account in the manifest: named, absent, empty, and so on.
	Account string
	// AccountName is the name of the account if it is named, and Namespace where it is installed; "" if they are unknown.
	AccountName, Namespace string
	// AccountPlace is where the account is set, which can be in a patch; zero if it is not.
	AccountPlace Place
	// Version and Channels are those requested; "" and none for any.
	Version  string
	Channels []string
	// Clusters are the names of the clusters that get it, as far as they are known.
	Clusters []string
	Origin   Origin
}

// Change is the effect of a run's fixes on one file; File is relative to the root of the repository. Before is nil for a
// new file, After for a removed one.
type Change struct {
	File          string
	Before, After []byte
}

// Target is the release or model of a run. DetectedFrom is the place it was detected from, file:line with the file relative
// to the root of the repository, or "" if the user set the target.
type Target struct {
	Name, Model, DetectedFrom string
}

// Summary counts the files, the documents and the findings of a run.
type Summary struct {
	Files, Documents                           int
	Errors, Warnings, Notes, Suppressed, Fixed int
	// NotShown is how many of the findings are counted here and left out because they are below --min-severity.
	NotShown int
	// Unchanged is how many findings, notes not counted, are not reported because neither their file nor its causes changed.
	Unchanged int
	// Unchecked is why nothing was checked; "" if anything was.
	Unchecked string
	// NotChecked is the number of reported files of which nothing became an object that rules judge.
	NotChecked int
}

// RuleInfo is what a report prints about a rule.
type RuleInfo struct {
	Name, Title, Description, HelpURI string
	Severity                          Severity
	// SecuritySeverity is how severe a problem of a rule about permissions and tokens is, from 0.1 to 10.0 as in CVSS; "" for others.
	SecuritySeverity string
	// Help is Markdown: why the rule matters and what to do. It is "" if the description is enough.
	Help string
	// Tags group rules in reports; the report adds the family.
	Tags []string
}

// Count sets the counts by severity from the findings that are not fixed.
func (s *Summary) Count(findings []Finding) {
	s.Errors, s.Warnings, s.Notes, s.Fixed = 0, 0, 0, 0
	for _, f := range findings {
		switch {
		case f.Fixed():
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

// LeaveOut removes the findings below a severity. They count in the summary.
func (r *Result) LeaveOut(below Severity) {
	isBelow := func(f Finding) bool { return f.Severity < below && !f.Fixed() }
	kept := slices.DeleteFunc(slices.Clone(r.Findings), isBelow)
	r.Summary.NotShown = len(r.Findings) - len(kept)
	r.Findings = kept
	r.Suppressed = slices.DeleteFunc(slices.Clone(r.Suppressed), isBelow)
}
