package access

import (
	"context"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/restmap"
)

// Check returns an error if the question is wrong whatever a repository contains.
func (q Question) Check() error {
	_, _, err := q.Request(restmap.New())
	return err
}

// Read reads the objects of some kinds, and resolves the type of the question with their definitions.
func (q Question) Read(ctx context.Context, w *workspace.Workspace, kinds map[string][]string) (Scene, Asked, []string, error) {
	types := restmap.New()
	if _, known := types.Argument(q.Type()); !known {
		kinds = loader.Kinds(kinds, TypeKinds(q.Type()))
	}
	read, err := w.Read(ctx, loader.Kinds(kinds, olm.SignalKinds()))
	if err != nil {
		return Scene{}, Asked{}, nil, err
	}
	for _, definition := range Definitions(read) {
		types.AddCRD(definition)
	}
	asked, warnings, err := q.Request(types)
	return SceneOf(ctx, w, read), asked, warnings, err
}
