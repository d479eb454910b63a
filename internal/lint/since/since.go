package since

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/git"
	"github.com/salint/salint/internal/lint/judging"
	"github.com/salint/salint/internal/lint/session"
	"github.com/salint/salint/rules/metadata"
)

// Files are the files that decide what counts in a run, relative to the repository; "" is none.
type Files struct {
	// Baseline is the baseline, and Config the file of --config, which takes the place of all others.
	Baseline, Config string
	HasConfig        bool
	// Policies are the folders of policies, and Narrowing the files that narrow the settings.
	Policies, Narrowing []string
}

// SetOptions sets what the options have of a revision. With changed, only findings in files that differ from it are reported.
func SetOptions(ctx context.Context, o *session.Options, w *workspace.Workspace, rev string, files Files, changed bool) error {
	differ, err := w.Repo.Git.Changed(ctx, rev)
	if err != nil {
		return err
	}
	deleted, err := w.Repo.Git.Deleted(ctx, rev)
	if err != nil {
		return err
	}
	all := maps.Clone(deleted)
	maps.Copy(all, differ)
	base, err := w.Repo.Git.BaseFS(ctx, rev)
	if err != nil {
		return err
	}
	o.Revision.Since, o.Revision.Base, o.Revision.Differs = rev, base, differ
	o.Revision.ChangedSettings = files.among(all, w, base)
	if o.Revision.ConfigFrom == "" && !files.HasConfig {
		o.Revision.ClustersThen = func() map[string][]string {
			if config, err := w.ConfigAt(base, settings.GivenLimits{}); err == nil {
				return config.Clusters
			}
			return nil // the settings of the revision cannot be read, so they named none
		}
	}
	if changed {
		o.Revision.Changed, o.Revision.Deleted = differ, deleted
		o.Before = func(ctx context.Context) (loader.Tree, func(), error) { return treeAt(ctx, w, rev) }
	}
	return nil
}

// AppliedState returns the state of the repository whose changes the cluster has: that of the commit at which the current branch left the
// default branch, or of the last commit if there is no default branch.
func AppliedState(w *workspace.Workspace) func(context.Context) session.ClusterState {
	return func(ctx context.Context) session.ClusterState {
		commit, err := appliedCommit(ctx, w.Repo.Git)
		open := func(ctx context.Context) (loader.Tree, func(), error) { return treeAt(ctx, w, commit) }
		return session.ClusterState{Revision: commit, Open: open, Err: err}
	}
}

// appliedCommit returns "" before the first commit.
func appliedCommit(ctx context.Context, repository *git.Repository) (string, error) {
	branch, err := repository.DefaultBranch(ctx)
	if err == nil {
		return repository.Base(ctx, branch)
	}
	var shallow *git.ShallowError
	if errors.As(err, &shallow) {
		return "", err
	}
	if known, err := repository.HasRevision(ctx, "HEAD"); err != nil || !known {
		return "", err
	}
	return repository.Base(ctx, "HEAD")
}

// treeAt opens the repository as it was at a revision. The error says if a submodule had another commit, whose files are not here.
func treeAt(ctx context.Context, w *workspace.Workspace, rev string) (loader.Tree, func(), error) {
	revision, err := w.Repo.Revision(ctx, rev)
	if err != nil {
		return nil, nil, err
	}
	if other := slices.Concat(revision.Submodules.Changed, revision.Submodules.Unread); len(other) > 0 {
		revision.Close()
		return nil, nil, fmt.Errorf("the files that the submodule %s had are not in this repository", other[0])
	}
	return loader.FromRevision(revision, w.Repo, w.Repo.Selected), revision.Close, nil
}

// among returns those of the changed files that decide what counts: configurations, policies, the baseline, and ignore files.
func (f Files) among(changed map[string]bool, w *workspace.Workspace, base fs.FS) []judging.ChangedSetting {
	var found []judging.ChangedSetting
	for _, file := range slices.Sorted(maps.Keys(changed)) {
		if kind, ok := f.kindOf(file); ok {
			found = append(found, judging.ChangedSetting{File: file, Line: firstChange(w, file, base), Kind: kind})
		}
	}
	return found
}

// kindOf returns what a file decides; ok is false if it decides nothing.
func (f Files) kindOf(file string) (kind judging.SettingKind, ok bool) {
	ofConfig := judging.SettingOfRevision
	if f.HasConfig {
		ofConfig = judging.SettingOfFlag
	}
	name := path.Base(file)
	switch {
	case name == ".gitignore", name == ".helmignore":
		return judging.SettingIgnore, true
	case file == f.Baseline:
		return judging.SettingBaseline, true
	case file == f.Config, slices.Contains(f.Narrowing, file), name == settings.FileName && !f.HasConfig:
		return ofConfig, true
	}
	isPolicy := slices.ContainsFunc(f.Policies, func(dir string) bool {
		dir, _ = metadata.SplitDigest(dir)
		return dir == "." || dir != "" && (file == dir || strings.HasPrefix(file, dir+"/"))
	})
	return ofConfig, isPolicy
}

// firstChange returns the first line of a file that differs from the base revision; 1 if one of the two cannot be read, as a file that
// is new or removed.
func firstChange(w *workspace.Workspace, file string, base fs.FS) int {
	before, err := fs.ReadFile(base, file)
	if err != nil {
		return 1
	}
	after, err := w.Repo.Read(file)
	if err != nil {
		return 1
	}
	same := 0
	for same < min(len(before), len(after)) && before[same] == after[same] {
		same++
	}
	if same == len(after) && bytes.HasSuffix(after, []byte("\n")) {
		same-- // only lines at the end are missing: the last one that is left
	}
	return 1 + bytes.Count(after[:max(same, 0)], []byte("\n"))
}
