package session

import (
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/lint/fixing"
	"github.com/salint/salint/internal/lint/judging"
)

// Outcome is the result of a run.
type Outcome struct {
	Findings []finding.Finding
	// Each are the findings before those about broken documents of one file were joined. Baselines contain these.
	Each []finding.Finding
	// Suppressed are the findings that comments, annotations, and the baseline silence.
	Suppressed []finding.Finding
	Baseline   judging.BaselineUse
	Summary    finding.Summary
	// Reported is the number of files whose findings are reported.
	Reported int
	// Unread is the number of other files whose findings are reported: they were not read.
	Unread int
	// Elsewhere is the number of applications in these files that take objects from other repositories.
	Elsewhere int
	// Target is the requested target, or the one that all units have in common.
	Target finding.Target
	// Extensions are the reported extensions, once for each unit that applies them, sorted by file, line, name, and unit.
	Extensions []finding.Extension
	// Inventory is nil unless Options.Inventory is set.
	Inventory *finding.Inventory
	// LeftOut are patterns of files that are not checked although nothing in `exclude` says so: bundles, and vendored files that hold something.
	LeftOut []string
	// RulesOff are the rules that are on by default and off in this run, for all files or for some, sorted.
	RulesOff []string
	// Rules are all rules, for reports with a table of them; only with Options.Describe.
	Rules []finding.RuleInfo
	// Writes are the verified changes to files that the fixes make. Notes are further information about them.
	Writes []commit.Write
	// Steps are the same changes in the sequence in which they are written: a file can be among them several times.
	Steps []commit.Write
	// Leftovers are what is left to prune if not all steps are written. LeftoversElsewhere is set if the paths do not select all that
	// interrupted runs have left.
	Leftovers          fixing.Leftovers
	LeftoversElsewhere bool
	Notes              []string
	// ChangedUnits are the deployment units whose applied objects the fixes change, sorted.
	ChangedUnits []finding.Unit
	// Permissions are the effects of the fixes on permissions, as far as they were verified; nil if no fix was to be verified.
	Permissions *permission.Report
	// left are the findings about what the fixes leave behind; they are among Findings.
	left []finding.Finding
	// previewed are the findings whose fixes a preview writes in this round.
	previewed []finding.Finding
	// waiting is the error about fixes that are not made because they depend on an unknown target; nil if there are none.
	waiting error
	// Faults are errors about what could not be shown or fixed.
	Faults []error
	// Incomplete is set if a rule failed or a file could not be read, so that findings can be missing. Stacks are those of panics.
	Incomplete bool
	Stacks     []string
	// Source returns the content of a file as it was linted, or nil.
	Source func(file string) []byte
	// Evaluations and Parsed count the evaluations of rules and the documents that were parsed.
	Evaluations, Parsed int
	// Stats is the work of the run, in all of its rounds.
	Stats Stats
}
