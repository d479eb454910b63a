package judging

import (
	"io/fs"
	"slices"
	"time"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/config/silence"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/evaluate"
)

// Options say what is judged and reported. They stay the same in all rounds, but for Changed.
type Options struct {
	// Registry has the rules, and Enabled are the names of those that are evaluated.
	Registry   *rules.Registry
	Enabled    []string
	Severities *Severities
	Config     *settings.Config
	// ConfigFile and BaselineFile are paths in the repository; "" if a file is not read from there.
	ConfigFile, BaselineFile string
	// Policies are folders with the user's own rules.
	Policies []string
	// Target is the requested target, as Requested reads it with the configuration.
	Target    string
	Requested *loader.RequestedTargets
	// Only and Disable are names of rules, or globs: those to evaluate, nil for all that are enabled, and those to leave out.
	Only, Disable []string
	Bundles       *bundles.Library
	Walk          repo.WalkOptions
	// Original is the tree without the changes of fixes.
	Original loader.Tree
	Baseline *silence.Baseline
	Now      time.Time
	Progress *reading.Progress
	// Everything also evaluates rules where no condition of theirs holds.
	Everything bool
	// Inspect is called with each evaluation; nil if nothing is to be shown.
	Inspect  func(evaluate.Inspection)
	Revision Revision
	// UnitsBefore returns the units of the repository as it was at the revision; none if that is not known. It can be nil.
	UnitsBefore func() []*objects.Unit
}

// Revision is the revision with which a run compares; the zero value compares with none.
type Revision struct {
	// Since is its name, and Base the repository as it was then.
	Since string
	Base  fs.FS
	// Differs are the files that differ from it.
	Differs map[string]bool
	// Changed limits the findings to these files; nil does not limit them.
	Changed map[string]bool
	// Deleted are the files of the revision that are gone; nil if Changed is.
	Deleted map[string]bool
	// ChangedSettings are the files that differ and decide what counts: configurations, policies, the baseline, ignore files.
	ChangedSettings []ChangedSetting
	// ClustersThen returns the clusters of the settings of the revision; nil if the run does not have its own settings.
	ClustersThen func() map[string][]string
	// ConfigFrom is the revision from which the configuration and the policies were read; "" if they are those of the work tree.
	ConfigFrom string
}

// requestsTarget reports whether the command line sets the target.
func (o Options) requestsTarget() bool { return o.Target != "" && o.Target != olm.AutoTarget }

// judgesExtensions reports whether an enabled rule judges extensions.
func (o Options) judgesExtensions() bool {
	return slices.ContainsFunc(o.Enabled, func(rule string) bool {
		found, _, ok := o.Registry.Find(rule)
		return ok && (found.All || slices.ContainsFunc(found.Kinds, isKindOfExtensions))
	})
}

// Severities are the configured severities of rules.
type Severities struct {
	config *settings.Config
	// flags are the patterns with which the command line enables rules. They take precedence over the configuration; those of only, which
	// limit the run, over `off` in it.
	flags   []string
	only    []string
	enabled map[string]bool
}

// NewSeverities returns the severities of the enabled rules.
func NewSeverities(config *settings.Config, flags, only, enabled []string) *Severities {
	s := &Severities{config, flags, only, map[string]bool{}}
	for _, name := range enabled {
		s.enabled[name] = true
	}
	return s
}

// Configure sets the configured severity of a finding. It returns false if the rule is off for its file.
func (s *Severities) Configure(f *finding.Finding) bool {
	return s.ConfigureAny(f) && s.enabled[f.Rule]
}

// ConfigureAny is Configure for a finding that flags which select rules do not leave out: it says what other findings rely on.
func (s *Severities) ConfigureAny(f *finding.Finding) bool {
	set := s.config.For(f.File)
	if severity, is := set.Severity(f.Rule); is && !s.enabledByFlag(f.Rule, severity) {
		f.Severity = severity
	}
	f.Severity = max(f.Severity, set.Floor(f.Rule))
	return f.Severity != finding.Off
}

// enabledByFlag reports whether a flag takes precedence over a configured severity of a rule.
func (s *Severities) enabledByFlag(rule string, configured finding.Severity) bool {
	return rules.MatchAny(s.flags, rule) || configured == finding.Off && rules.MatchAny(s.only, rule)
}
