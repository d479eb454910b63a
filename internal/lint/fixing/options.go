package fixing

import (
	"time"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/fields"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/internal/needs/bundles"
)

// Options say which fixes are planned. They stay the same in all rounds.
type Options struct {
	Fixes Fixes
	// Leftovers are what interrupted runs have left to prune.
	Leftovers Leftovers
	// Lost are accounts that extensions named at the revision Since and do not name now: they are treated as if this run removed the field.
	Lost   Lost
	Since  string
	Config *settings.Config
	// Target is the target that the command line requests.
	Target   string
	Bundles  *bundles.Library
	Now      time.Time
	Progress *reading.Progress
	// Parsed keeps what proofs parse for the next round.
	Parsed *reading.ParsedFiles
	// Acting is what OLM acts as until the changes of the run are applied.
	Acting *Acting
	// Earlier is what the rounds before have changed; nil for a run of one round.
	Earlier *fields.Earlier
}

// Fixes say which fixes are wanted, and what to do with them.
type Fixes struct {
	// Apply applies fixes: Outcome.Writes are the changes. Prove verifies them without applying them, for reports that show edits.
	// Without both, fixes are only planned.
	Apply, Prove bool
	// Preview shows the changes only: the findings are reported as if nothing was fixed.
	Preview bool
	// Unsafe and Prune also apply fixes of these kinds. PruneOnly, with Prune, applies fixes of no other kind.
	Unsafe, Prune, PruneOnly bool
	// Shared also changes files that units outside of the paths apply. SharedCommand returns the command line that does so for a
	// fix of a kind in a file; nil: one without further flags.
	Shared        bool
	SharedCommand func(file string, kind finding.FixKind) string
	// PruneCommand returns the command line that prunes what a change since a revision has made unused; nil: one without further flags.
	PruneCommand func(revision string) string
	// Commit is the one that is checked out; "" if it is not known.
	Commit string
	Grant  engine.Grant
	// Only selects the findings that are fixed, in every round; nil selects all. All fixes are planned as without it.
	Only func(finding.Finding) bool
}

// wants reports whether a run applies fixes of a kind.
func (f Fixes) wants(kind finding.FixKind) bool {
	switch kind {
	case finding.Unsafe:
		return f.Unsafe && !f.PruneOnly
	case finding.Prune:
		return f.Prune
	default:
		return !f.PruneOnly
	}
}
