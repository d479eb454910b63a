package session

import (
	"context"
	"time"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/config/silence"
	"github.com/salint/salint/internal/lint/fixing"
	"github.com/salint/salint/internal/lint/judging"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/internal/render/reuse"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/evaluate"
	"github.com/salint/salint/rules/modules"
	"github.com/salint/salint/rules/sandbox"
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
	// PlatformPolicies are those of Policies that the others must not change.
	PlatformPolicies []string
	// OpenPolicies opens one of them; with nil, it can lie anywhere.
	OpenPolicies sandbox.OpenDir
	// Registry has the rules; nil loads those of Policies. The session does not close it.
	Registry *rules.Registry
	// Inspect is called with the evaluations of rules, if it is not nil; Explain adds the trace of each to them.
	Inspect func(evaluate.Inspection)
	Explain bool
	// Observe adds what the user's rules print, and what fails in them, to the notes of the run.
	Observe bool
	// PolicyCache keeps compiled policies for other sessions; nil: the session compiles them for itself.
	PolicyCache *modules.Cache
	// Builds keeps the results of builds for other sessions; nil: the session keeps them for itself.
	Builds *reuse.Cache
	// Store keeps results of builds longer than the run, those of a program with the StoreScope; nil keeps none. A run that fixes or
	// verifies does not use it.
	Store      reuse.Store
	StoreScope string
	// Revision is the revision with which the run compares.
	Revision judging.Revision
	// Before opens that revision as a tree to lint; nil without a revision.
	Before OpenRevision
	// Applied returns the state of the repository whose changes the cluster has; nil if there is none. It is asked only by runs that prune.
	Applied func(context.Context) ClusterState
	// Baseline are known findings that are not reported; nil if there is none.
	Baseline *silence.Baseline
	// BaselineFile is its path in the repository; "" if it is not in it.
	BaselineFile string
	// Bundles are the bundles of extensions, for the rules and fixes that need them; nil if there are none.
	Bundles *bundles.Library
	// Charts are the user's settings for rendering charts.
	Charts charts.Settings
	Now    time.Time
	Fixes  fixing.Fixes
	// SetTarget also changes the target of the configuration to Target, where fixes contradict it; without it, nothing is fixed then.
	SetTarget bool
	// OnConflict is called before fixes are planned if Target contradicts the configuration; nil calls nothing.
	OnConflict func()
	// Workspace is the file of a workspace, as the command line names it; "" for one repository.
	Workspace string
	// Leftovers are what interrupted runs have left to prune.
	Leftovers fixing.Leftovers
	// Describe fills in Outcome.Rules, for which the texts of all rules are read.
	Describe bool
	// Inventory lists roles with power, and bindings without a role, of all that is read.
	Inventory bool
	// Kinds are parsed although no rule needs them.
	Kinds []string
	// Progress displays the progress; nil displays none.
	Progress reading.Display

	// everything parses all documents that rules judge, also those in which they find nothing.
	everything bool
	// eager builds the deferred units at once. Tests compare its findings with those of other runs.
	eager bool
	// applicationsAtOnce defers no units of applications, for the same tests.
	applicationsAtOnce bool
}
