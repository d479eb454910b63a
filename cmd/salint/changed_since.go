package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/lint/judging"
)

// readChanged reads what differs from the revision of --changed-since, or of --settings-since, which does not limit the findings.
func (l *linter) readChanged() error {
	rev := l.ctx.String("changed-since")
	since := cmp.Or(rev, l.ctx.String("settings-since"))
	if since == "" {
		return nil
	}
	changed, err := l.repo.Git.Changed(l.ctx.Context, since)
	if err != nil {
		return err
	}
	all, err := l.repo.Git.Deleted(l.ctx.Context, since)
	if err != nil {
		return err
	}
	maps.Copy(all, changed)
	base, err := l.repo.Git.BaseFS(l.ctx.Context, since)
	if err != nil {
		return err
	}
	l.options.Revision = judging.Revision{
		Since: since, Base: base, ChangedSettings: l.settingsOf(all, base), ConfigFrom: l.ctx.String("config-from"),
	}
	if rev == "" {
		return nil
	}
	l.options.Revision.Changed = changed
	l.options.Before = func(ctx context.Context) (loader.Tree, func(), error) { return l.treeAt(ctx, rev) }
	return nil
}

// treeAt opens the repository as it was at a revision. The error says if a submodule had another commit, whose files are not here.
func (l *linter) treeAt(ctx context.Context, rev string) (loader.Tree, func(), error) {
	revision, err := l.repo.Revision(ctx, rev)
	if err != nil {
		return nil, nil, err
	}
	if other := slices.Concat(revision.Submodules.Changed, revision.Submodules.Unread); len(other) > 0 {
		revision.Close()
		return nil, nil, fmt.Errorf("the files that the submodule %s had are not in this repository", other[0])
	}
	return loader.FromRevision(revision, l.repo.Selected), revision.Close, nil
}
