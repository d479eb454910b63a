package workspace

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/cluster"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/render"
)

// Read reads the objects of some kinds of the repository, and what limits permissions, see [loader.Read].
func (w *Workspace) Read(ctx context.Context, kinds map[string][]string) (*loader.Repository, error) {
	return w.read(ctx, w.ReadOptions(loader.Kinds(kinds, rbac.AuthorizationKinds())))
}

// ReadAll reads the objects of every kind of the repository.
func (w *Workspace) ReadAll(ctx context.Context) (*loader.Repository, error) {
	options := w.ReadOptions(nil)
	options.All = true
	return w.read(ctx, options)
}

func (w *Workspace) read(ctx context.Context, o loader.Options) (*loader.Repository, error) {
	read, err := loader.Read(ctx, loader.FromRepo(w.Repo), o)
	if err != nil {
		return nil, err
	}
	unread, err := w.Repo.UnreadSubmodules(ctx)
	if err != nil {
		return nil, err
	}
	for _, dir := range unread {
		read.Gaps = append(read.Gaps, NotCheckedOut(dir))
	}
	return read, nil
}

// NotCheckedOut says that nothing is known of a submodule.
func NotCheckedOut(submodule string) string {
	return "the submodule " + submodule + " is not checked out"
}

// ReadTree reads the objects of some kinds of a tree of the repository.
func (w *Workspace) ReadTree(ctx context.Context, tree loader.Tree, kinds map[string][]string) (*loader.Repository, error) {
	return loader.Read(ctx, tree, w.ReadOptions(kinds))
}

// ReadOptions returns how to read the objects of some kinds with the settings.
func (w *Workspace) ReadOptions(kinds map[string][]string) loader.Options {
	return loader.Options{
		Kinds:     kinds,
		Walk:      repo.WalkOptions{Exclude: w.Config.ExcludePatterns(), MaxFileSize: w.Config.Limits.FileSize},
		Asked:     w.Requested.For,
		Overrides: w.Requested.Overrides,
		Tests:     loader.TestPatterns(w.Config),
		Limits:    w.RenderLimits(),
		Builds:    w.Builds,
		Clusters:  cluster.NamesOf(w.Config.Clusters),
		Charts:    w.Charts(), Embedded: loader.EmbeddedKinds(w.Config),
	}
}

// RenderLimits returns the limits of builds.
func (w *Workspace) RenderLimits() render.Limits {
	return render.Limits{Time: w.Config.Limits.RenderTime, Memory: w.Config.Limits.RenderMemory}
}

// Charts returns how the configuration and the command line set the rendering of charts.
func (w *Workspace) Charts() charts.Settings {
	s := charts.Settings{Charts: map[string]charts.Chart{}}
	for version := range strings.SplitSeq(w.APIVersions, ",") {
		if version = strings.TrimSpace(version); version != "" {
			s.APIVersions = append(s.APIVersions, version)
		}
	}
	for dir, chart := range w.Config.Helm {
		configured := charts.Chart{Values: chart.Values, APIVersions: chart.APIVersions, KubeVersion: chart.KubeVersion}
		if w.Repo != nil && filepath.IsLocal(w.ConfigFile(w.Config)) {
			configured.Place = objects.Position{File: w.ConfigFile(w.Config), Line: w.Config.HelmAt(dir), Column: 1}
		}
		s.Charts[dir] = configured
	}
	return s
}
