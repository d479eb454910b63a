package lint

import (
	"context"
	"io/fs"
	"time"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/config/silence"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/internal/render/reuse"
	"github.com/salint/salint/rules"
)

// Options say what to lint, and how.
type Options struct {
	// Tree is a repository, or standard input.
	Tree   loader.Tree
	Config *settings.Config
	// ConfigFile is the path of the configuration in the repository; "" if it is not read from there.
	ConfigFile string
	// Vendored reports whether a file is in a folder of dependencies that the user did not name; nil if nothing is left out as one.
	Vendored func(file string) bool
	// Target is "auto" or "", a model, or a release. It takes precedence over the configuration.
	Target string
	// Enable and Disable are names of rules, or globs.
	Enable, Disable []string
	// Only are the rules to evaluate, names or patterns; nil for all that are enabled. What is not checked is reported anyway.
	Only []string
	// Policies are folders with the user's own rules. The folders of the configuration are not read unless they are listed here.
	Policies []string
	// OpenPolicies opens one of them; with nil, it can lie anywhere.
	OpenPolicies rules.OpenDir
	// PolicyCache keeps compiled policies for other sessions; nil: the session compiles them for itself.
	PolicyCache *rules.PolicyCache
	// Builds keeps the results of builds for other sessions; nil: the session keeps them for itself.
	Builds *reuse.Cache
	// Store keeps results of builds longer than the run, those of a program with the StoreScope; nil keeps none. A run that fixes or
	// verifies does not use it.
	Store      reuse.Store
	StoreScope string
	// Changed limits the findings to these files; nil does not limit them.
	Changed map[string]bool
	// ChangedSettings are the files that differ from the revision Since and decide what counts: configurations, policies, the
	// baseline, ignore files.
	Since           string
	ChangedSettings []ChangedSetting
	// Base is the repository as it was at Since; nil without a revision.
	Base fs.FS
	// Before opens the same revision as a tree to lint; nil without a revision. The function that it returns closes the tree.
	Before func(context.Context) (loader.Tree, func(), error)
	// ConfigFrom is the revision from which the configuration and the policies were read; "" if they are those of the work tree.
	ConfigFrom string
	// Baseline are known findings that are not reported; nil if there is none.
	Baseline *silence.Baseline
	// BaselineFile is its path in the repository; "" if it is not in it.
	BaselineFile string
	// Bundles are the bundles of extensions, for the rules and fixes that need them; nil if there are none.
	Bundles *bundles.Library
	// Charts are the user's settings for rendering charts.
	Charts charts.Settings
	Now    time.Time
	Fixes  Fixes
	// Leftovers are what interrupted runs have left to prune.
	Leftovers Leftovers
	// Describe fills in Outcome.Rules, for which the texts of all rules are read.
	Describe bool
	// Progress displays the progress; nil displays none.
	Progress reading.Display

	// everything parses all documents that rules judge, also those in which they find nothing.
	everything bool
	// eager builds the deferred units at once. Tests compare its findings with those of other runs.
	eager bool
	// applicationsAtOnce defers no units of applications, for the same tests.
	applicationsAtOnce bool
}

// Outcome is the result of a run.
type Outcome struct {
	Findings []finding.Finding
	// Each are the findings before those about broken documents of one file were joined. Baselines contain these.
	Each []finding.Finding
	// Suppressed are the findings that comments, annotations, and the baseline silence.
	Suppressed []finding.Finding
	Baseline   BaselineUse
	Summary    finding.Summary
	// Reported is the number of files whose findings are reported.
	Reported int
	// Target is the requested target, or the one that all units have in common.
	Target finding.Target
	// Extensions are the reported extensions, once for each unit that applies them, sorted by file, line, name, and unit.
	Extensions []finding.Extension
	// Rules are all rules, for reports with a table of them; only with Options.Describe.
	Rules []finding.RuleInfo
	// Writes are the verified changes to files that the fixes make. Notes are further information about them.
	Writes []commit.Write
	// Steps are the same changes in the sequence in which they are written: a file can be among them several times.
	Steps []commit.Write
	// Leftovers are what is left to prune if not all steps are written. LeftoversElsewhere is set if the paths do not select all that
	// interrupted runs have left.
	Leftovers          Leftovers
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
	// failed are the findings about rules that failed; they are among Findings.
	failed []finding.Finding
	// Source returns the content of a file as it was linted, or nil.
	Source func(file string) []byte
	// Evaluations and Parsed count the evaluations of rules and the documents that were parsed.
	Evaluations, Parsed int
	// Stats is the work of the run, in all of its rounds.
	Stats Stats
}
