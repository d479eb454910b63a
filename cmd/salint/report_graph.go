package main

import (
	"context"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/graph"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint"
	"github.com/salint/salint/internal/output/picture"
	"github.com/salint/salint/internal/render"
)

// draws returns whether a requested report contains a graph.
func (l *linter) draws() bool { return l.formats("html") || l.formats("markdown") }

// picture returns the graph of identities, bindings and roles, compared with the changes of the run, or nil if no report
// shows it. It must be called before files are written.
func (l *linter) picture(ctx context.Context, out *lint.Outcome) (*picture.Graph, error) {
	if !l.draws() {
		return nil, nil
	}
	before, err := l.graphOf(ctx, l.options.Tree)
	if err != nil || len(out.Writes) == 0 {
		return before, err
	}
	after, err := l.graphOf(ctx, lint.Edited(l.options.Tree, out.Writes))
	if err != nil {
		return nil, err
	}
	return picture.Compare(before, after), nil
}

func (l *linter) graphOf(ctx context.Context, tree lint.Tree) (*picture.Graph, error) {
	requested, err := loader.ReadRequestedTargets(l.options.Target, l.config)
	if err != nil {
		return nil, err
	}
	w, err := loader.Read(ctx, tree, loader.Options{
		Kinds:     loader.Kinds(loader.RBAC(), loader.Installers()),
		Walk:      repo.WalkOptions{Exclude: l.config.ExcludePatterns(), MaxFileSize: l.config.Limits.FileSize},
		Asked:     requested.For,
		Overrides: requested.Overrides,
		Limits:    render.Limits{Time: l.config.Limits.RenderTime, Memory: l.config.Limits.RenderMemory},
		Charts:    l.options.Charts, Embedded: lint.EmbeddedKinds(l.config),
	})
	if err != nil {
		return nil, err
	}
	return graph.Build(w, w.About(tree.Selected, isDrawn), nil), nil
}

// isDrawn returns whether a graph starts at an object.
func isDrawn(o *objects.Object) bool {
	return access.IsBinding(o) || o.Kind == olm.ClusterExtensionKind || o.Kind == olm.ExtensionKind
}
