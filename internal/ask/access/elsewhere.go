package access

import (
	"context"
	"fmt"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// SceneOf returns the scene of what was read of the repository of a workspace. Files that are no manifests are read only if the answer about
// an account depends on them.
func SceneOf(ctx context.Context, w *workspace.Workspace, read *loader.Repository) Scene {
	tree := loader.FromRepo(w.Repo)
	text := func(file string) ([]byte, error) {
		if read.Collection.Has(file) {
			return tree.Read(file)
		}
		return tree.Text(file)
	}
	index := uses.New(uses.Sources{
		Tree: tree, Collection: read.Collection, Parsed: read.Parsed, Text: text, Units: read.Units, Applications: read.Applications,
		Walk: w.ReadOptions(nil).Walk,
	})
	return Scene{Repository: read, Selected: w.Repo.Selected, GrantedElsewhere: func(a objects.Account) ([]objects.Position, error) {
		return index.GrantedElsewhere(ctx, a)
	}}
}

// grantedElsewhere returns a doubt for each place outside of the manifests that are read that can bind a role to an identity.
func (s Scene) grantedElsewhere(who rbac.Identity) []Doubt {
	account, ok := objects.ParseUser(who.User)
	if !ok || s.GrantedElsewhere == nil {
		return nil
	}
	name := rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: account.Namespace, Name: account.Name}
	places, err := s.GrantedElsewhere(account)
	if err != nil {
		return []Doubt{{Message: fmt.Sprintf("whether anything but a manifest binds a role to %s is unknown: %v", SubjectName(name), err)}}
	}
	var doubts []Doubt
	for _, place := range places {
		doubts = append(doubts, Doubt{Position: place, Message: "can bind a role to " + SubjectName(name) + " in a way that salint does not read"})
	}
	return doubts
}
