package views

import (
	"context"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/escalation"
	"github.com/salint/salint/internal/ask/graph"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/internal/output/picture"
	"github.com/salint/salint/internal/output/report"
)

// Source is what a run read, and what it writes.
type Source struct {
	*workspace.Workspace

	Tree   loader.Tree
	Writes []commit.Write
}

// Graph returns the graph of identities, bindings and roles, compared with the changes of the run. It must be called before files are
// written.
func (s Source) Graph(ctx context.Context) (*picture.Graph, error) {
	before, err := s.graphOf(ctx, s.Tree)
	if err != nil || len(s.Writes) == 0 {
		return before, err
	}
	after, err := s.graphOf(ctx, s.after())
	if err != nil {
		return nil, err
	}
	return picture.Compare(before, after), nil
}

func (s Source) graphOf(ctx context.Context, tree loader.Tree) (*picture.Graph, error) {
	w, err := s.ReadTree(ctx, tree, loader.Kinds(loader.RBAC(), loader.Installers()))
	if err != nil {
		return nil, err
	}
	return graph.Build(w, w.About(tree.Selected, graph.StartsAt), graph.Options{}), nil
}

// after returns the tree with the changes of the run.
func (s Source) after() loader.Tree {
	if len(s.Writes) == 0 {
		return s.Tree
	}
	return reading.Edited(s.Tree, s.Writes)
}

// Chains returns who can become cluster-admin after the changes of the run. It must be called before files are written.
func (s Source) Chains(ctx context.Context) (*report.Chains, error) {
	tree := s.after()
	w, err := s.ReadTree(ctx, tree, escalation.ObjectKinds())
	if err != nil {
		return nil, err
	}
	answer := escalation.Become(access.Scene{Repository: w, Selected: tree.Selected}, escalation.ClusterAdmin)
	return escalation.Printer{Printer: access.Printer{Rel: s.Rel}}.Chains(answer), nil
}
