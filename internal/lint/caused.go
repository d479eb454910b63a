package lint

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/salint/salint/internal/config/finding"
)

// earlier are the findings of the revision with which a run for changed files compares. A change can cause findings in files that did
// not change: a role that gets wider is reported at its bindings. Those that the revision did not have are reported, too.
type earlier struct {
	// known are the fingerprints of the findings of the revision; nil if they are not needed, or not known.
	known map[string]bool
	// reason is why they are not known; nil if they are.
	reason error
}

// isCaused reports whether the change causes a finding in a file that did not change.
func (r *run) isCaused(f finding.Finding) bool {
	return r.earlier != nil && r.earlier.known != nil && f.Severity > finding.Note && !r.earlier.known[f.Fingerprint()]
}

// compareWithEarlier lints the revision if findings in files that did not change may be new. It does so once in a session: later rounds
// only see what fixes left.
func (r *run) compareWithEarlier(ctx context.Context, found []judgedFinding) error {
	if r.Before == nil || r.earlier != nil {
		return nil
	}
	isOpen := func(f judgedFinding) bool { return f.selected && f.Severity > finding.Note && !r.isReported(f) }
	if !slices.ContainsFunc(found, isOpen) && !slices.ContainsFunc(r.judgedFiles(), isOpen) {
		return nil
	}
	known, err := r.Session.lintEarlier(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.Session.earlier = &earlier{known, err}
	return nil
}

// judgedFiles returns the findings about files as those of policies are.
func (r *run) judgedFiles() (found []judgedFinding) {
	for _, f := range r.fileFindings() {
		found = append(found, judgedFinding{Finding: f, selected: r.Selected(f.File)})
	}
	return found
}

// lintEarlier returns the fingerprints of the findings of the revision, with the settings of this run.
func (s *Session) lintEarlier(ctx context.Context) (known map[string]bool, err error) {
	tree, end, err := s.Before(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	o := s.Options
	o.Tree, o.Before, o.Base, o.Changed, o.ChangedSettings, o.Baseline, o.Progress = tree, nil, nil, nil, nil, nil, nil
	o.Fixes = Fixes{Grant: s.Fixes.Grant}
	o.Leftovers = Leftovers{}
	before, err := NewSession(ctx, o)
	if err != nil {
		return nil, err
	}
	defer before.Close()
	if before.snapshot, err = before.takeSnapshot(ctx, tree); err != nil {
		return nil, err
	}
	r := &run{Session: before, Snapshot: before.snapshot, outcome: &Outcome{}}
	found, err := r.judge(ctx)
	if err != nil {
		return nil, err
	}
	if len(r.outcome.failed) > 0 {
		return nil, errors.New(r.outcome.failed[0].Message)
	}
	known = map[string]bool{}
	for _, f := range slices.Concat(found, r.judgedFiles()) {
		known[f.Fingerprint()] = true
	}
	return known, nil
}

// unknownCauses returns the words to a number of findings that are not reported because it is not known whether they are new; "" if it
// is known.
func (r *run) unknownCauses() string {
	if r.earlier == nil || r.earlier.reason == nil {
		return ""
	}
	return fmt.Sprintf("; whether the change causes them is not known, because %s could not be linted: %v", r.Since, r.earlier.reason)
}
