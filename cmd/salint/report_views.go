package main

import (
	"context"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/escalation"
	"github.com/salint/salint/internal/ask/graph"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/internal/lint/session"
	"github.com/salint/salint/internal/output/picture"
	"github.com/salint/salint/internal/output/report"
	"github.com/salint/salint/internal/render"
)

// views are what reports show beside the findings; nil if no report shows it.
type views struct {
	graph  *picture.Graph
	chains *report.Chains
}

func (l *linter) views(ctx context.Context, out *session.Outcome) (v views, err error) {
	if v.graph, err = l.picture(ctx, out); err != nil {
		return v, err
	}
	v.chains, err = l.chains(ctx, out)
	return v, err
}

// draws returns whether a requested report contains a graph.
func (l *linter) draws() bool { return l.formats("html") || l.formats("markdown") }

// picture returns the graph of identities, bindings and roles, compared with the changes of the run, or nil if no report
// shows it. It must be called before files are written.
func (l *linter) picture(ctx context.Context, out *session.Outcome) (*picture.Graph, error) {
	if !l.draws() {
		return nil, nil
	}
	before, err := l.graphOf(ctx, l.options.Tree)
	if err != nil || len(out.Writes) == 0 {
		return before, err
	}
	after, err := l.graphOf(ctx, reading.Edited(l.options.Tree, out.Writes))
	if err != nil {
		return nil, err
	}
	return picture.Compare(before, after), nil
}

func (l *linter) graphOf(ctx context.Context, tree loader.Tree) (*picture.Graph, error) {
	w, err := l.readForReport(ctx, tree, loader.Kinds(loader.RBAC(), loader.Installers()))
	if err != nil {
		return nil, err
	}
	return graph.Build(w, w.About(tree.Selected, isDrawn), nil), nil
}

// chains returns who can become cluster-admin after the changes of the run, or nil if no report shows it. It must be called before
// files are written.
func (l *linter) chains(ctx context.Context, out *session.Outcome) (*report.Chains, error) {
	if !l.formats("html") {
		return nil, nil
	}
	tree := l.options.Tree
	if len(out.Writes) > 0 {
		tree = reading.Edited(tree, out.Writes)
	}
	w, err := l.readForReport(ctx, tree, escalation.ObjectKinds())
	if err != nil {
		return nil, err
	}
	answer := escalation.Become(access.Scene{Repository: w, Selected: tree.Selected}, escalation.ClusterAdmin)
	return escalation.Printer{Printer: access.Printer{Rel: l.rel}}.Chains(answer), nil
}

// rel converts a path from the root of the repository to one from the working directory. Standard input has its own name.
func (l *linter) rel(file string) string {
	if l.repo == nil {
		return file
	}
	return (&scene{repo: l.repo}).rel(file)
}

// readForReport reads what a report needs beside the findings.
func (l *linter) readForReport(ctx context.Context, tree loader.Tree, kinds map[string][]string) (*loader.Repository, error) {
	requested, err := loader.ReadRequestedTargets(l.options.Target, l.config)
	if err != nil {
		return nil, err
	}
	return loader.Read(ctx, tree, loader.Options{
		Kinds:     kinds,
		Walk:      repo.WalkOptions{Exclude: l.config.ExcludePatterns(), MaxFileSize: l.config.Limits.FileSize},
		Asked:     requested.For,
		Overrides: requested.Overrides,
		Limits:    render.Limits{Time: l.config.Limits.RenderTime, Memory: l.config.Limits.RenderMemory},
		Charts:    l.options.Charts, Embedded: loader.EmbeddedKinds(l.config),
	})
}

// isDrawn returns whether a graph starts at an object.
func isDrawn(o *objects.Object) bool {
	return access.IsBinding(o) || o.Kind == olm.ClusterExtensionKind || o.Kind == olm.ExtensionKind
}
