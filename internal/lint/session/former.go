package session

import (
	"bytes"
	"context"
	"fmt"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
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

// look reads a revision with the settings of this session, and calls a function with a session and a snapshot of it.
func (s *Session) look(ctx context.Context, open OpenRevision, at func(*Session, *reading.Snapshot) error) error {
	tree, end, err := open(ctx)
	if err != nil {
		return err
	}
	defer end()
	o := s.options
	o.Tree, o.Before, o.Applied, o.Revision, o.Baseline, o.Progress = tree, nil, nil, judging.Revision{}, nil, nil
	o.Fixes = fixing.Fixes{Grant: s.options.Fixes.Grant}
	o.Leftovers = fixing.Leftovers{}
	then, err := NewSession(ctx, o)
	if err != nil {
		return err
	}
	defer then.Close()
	files, err := then.takeSnapshot(ctx, tree)
	if err != nil {
		return err
	}
	return at(then, files)
}

// accountsAt returns the accounts that extensions named at a revision.
func (s *Session) accountsAt(ctx context.Context, open OpenRevision) (named []fixing.NamedAccount, err error) {
	err = s.look(ctx, open, func(_ *Session, files *reading.Snapshot) error {
		named = fixing.AccountsNamedIn(files.Units)
		return nil
	})
	return named, err
}

// unitsBefore returns the units of the revision of --changed-since; none if it could not be read.
func (s *Session) unitsBefore() (units []*objects.Unit) {
	if s.options.Before == nil {
		return nil
	}
	_ = s.look(context.Background(), s.options.Before, func(_ *Session, files *reading.Snapshot) error {
		units = files.Units
		return nil
	}) // a revision that cannot be read is a revision of which nothing is known
	return units
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

// findLost finds the accounts that extensions named at the revision of --changed-since and do not name now, or that named them and are
// gone. It reads the revision once in a session, and only if a change can have removed a field or an extension. It returns the snapshot
// with all objects, in which such accounts are.
func (s *Session) findLost(ctx context.Context, files *reading.Snapshot) (*reading.Snapshot, error) {
	if s.options.Revision.Changed == nil || s.options.Before == nil || s.lostRead || !s.mayLose(ctx, files) {
		return files, nil
	}
	s.lostRead = true
	then, err := s.accountsAt(ctx, s.options.Before)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		s.lostUnknown = fmt.Sprintf("whether the changes since %s leave accounts of extensions unused is not known, because %[1]s could not be linted: %v",
			s.options.Revision.Since, err)
		return files, nil
	}
	if !fixing.LoseAccounts(files.Units, then) {
		return files, nil
	}
	if !s.options.everything {
		if files, err = s.readEverything(ctx); err != nil {
			return nil, err
		}
	}
	s.lost = fixing.LostSince(files.Units, then)
	return files, nil
}

// mayLose reports whether the changes since the revision can have removed an extension, or the field of one.
func (s *Session) mayLose(ctx context.Context, files *reading.Snapshot) bool {
	changed := s.options.Revision.Changed
	hasExtensions := files.Kinds[olm.ClusterExtensionKind] || files.Kinds[""]
	return fixing.MayLoseAccounts(files.Units, changed) || hasExtensions && fixing.MayLeaveOut(files.Units, changed) ||
		s.hadExtensions(ctx, hasExtensions || files.Kinds[rbac.KindServiceAccount])
}

// hadExtensions reports whether a file of the revision that changed or is gone names the kind of extensions. If the revision cannot be
// opened, it is unknown, and linting the revision says why.
func (s *Session) hadExtensions(ctx context.Context, unknown bool) bool {
	tree, end, err := s.options.Before(ctx)
	if err != nil {
		return unknown
	}
	defer end()
	for _, differ := range []map[string]bool{s.options.Revision.Changed, s.options.Revision.Deleted} {
		for file, is := range differ {
			if !is {
				continue
			}
			if data, err := tree.Read(file); err == nil && bytes.Contains(data, []byte(olm.ClusterExtensionKind)) {
				return true
			}
		}
	}
	return false
}
