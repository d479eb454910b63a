package session

import (
	"context"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/lint/fixing"
	"github.com/salint/salint/internal/lint/judging"
	"github.com/salint/salint/internal/lint/reading"
)

// OpenRevision opens the repository as it was at a revision, as a tree to lint. The function that it returns closes the tree.
type OpenRevision func(context.Context) (tree loader.Tree, end func(), err error)

// ClusterState is the state of the repository whose changes the cluster has.
type ClusterState struct {
	// Revision is the commit; "" if there is none.
	Revision string
	Open     OpenRevision
	// Err is why the state is not known; nil if it is.
	Err error
}

// at returns a session with the settings of this one, for a revision.
func (s *Session) at(ctx context.Context, tree loader.Tree) (*Session, error) {
	o := s.options
	o.Tree, o.Before, o.Applied, o.Revision, o.Baseline, o.Progress = tree, nil, nil, judging.Revision{}, nil, nil
	o.Fixes = fixing.Fixes{Grant: s.options.Fixes.Grant}
	o.Leftovers = fixing.Leftovers{}
	return NewSession(ctx, o)
}

// accountsAt returns the accounts that extensions named at a revision.
func (s *Session) accountsAt(ctx context.Context, open OpenRevision) ([]fixing.NamedAccount, error) {
	tree, end, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	then, err := s.at(ctx, tree)
	if err != nil {
		return nil, err
	}
	defer then.Close()
	files, err := then.takeSnapshot(ctx, tree)
	if err != nil {
		return nil, err
	}
	return fixing.AccountsNamedIn(files.Units), nil
}

// readApplied returns the accounts that extensions name in the state that the cluster has.
func (s *Session) readApplied(ctx context.Context) fixing.State {
	if s.options.Applied == nil {
		return fixing.State{}
	}
	applied := s.options.Applied(ctx)
	state := fixing.State{Revision: applied.Revision, Unknown: applied.Err}
	if state.Revision != "" && state.Unknown == nil {
		state.Accounts, state.Unknown = s.accountsAt(ctx, applied.Open)
	}
	return state
}

// findLost finds the accounts that extensions named at the revision of --changed-since and do not name now. It reads the revision once in
// a session, and only if a change can have removed a field. It returns the snapshot with all objects, in which such accounts are.
func (s *Session) findLost(ctx context.Context, files *reading.Snapshot) (*reading.Snapshot, error) {
	changed := s.options.Revision.Changed
	if changed == nil || s.options.Before == nil || s.lostRead || !fixing.MayLoseAccounts(files.Units, changed) {
		return files, nil
	}
	s.lostRead = true
	then, err := s.accountsAt(ctx, s.options.Before)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || !fixing.LoseAccounts(files.Units, then) {
		return files, nil // that the revision cannot be linted is said where its findings are compared
	}
	if !s.options.everything {
		s.options.everything = true
		if files, err = s.takeSnapshot(ctx, s.options.Tree); err != nil {
			return nil, err
		}
		s.snapshot = files
	}
	s.lost = fixing.LostSince(files.Units, then)
	return files, nil
}
