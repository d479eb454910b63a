package access

import (
	"context"
	"fmt"
	"strings"

	"github.com/salint/salint/internal/assemble/grants"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// SceneOf returns the scene of what was read of the repository of a workspace. Files that are no manifests are read only if the answer about
// an account depends on them.
func SceneOf(ctx context.Context, w *workspace.Workspace, read *loader.Repository) Scene {
	index := uses.New(UsesOf(w, read))
	return Scene{Repository: read, Selected: w.Repo.Selected, GrantsElsewhere: func(who rbac.Identity) ([]grants.Grant, error) {
		return index.GrantsElsewhere(ctx, who)
	}}
}

// UsesOf returns what the index of the uses in a repository that was read is made of.
func UsesOf(w *workspace.Workspace, read *loader.Repository) uses.Sources {
	tree := loader.FromRepo(w.Repo)
	text := func(file string) ([]byte, error) {
		if read.Collection.Has(file) {
			return tree.Read(file)
		}
		return tree.Text(file)
	}
	return uses.Sources{
		Tree: tree, Collection: read.Collection, Parsed: read.Parsed, Text: text, Units: read.Units, Applications: read.Applications,
		Walk: w.ReadOptions(nil).Walk,
	}
}

// grantedElsewhere returns a doubt for each place outside of the manifests that are read that can bind a role to an identity in a namespace, or with
// "" in all.
func (s Scene) grantedElsewhere(who rbac.Identity, namespace string) []Doubt {
	if s.GrantsElsewhere == nil {
		return nil
	}
	name := nameOf(who)
	found, err := s.GrantsElsewhere(who)
	if err != nil {
		return []Doubt{{Message: fmt.Sprintf("whether anything but a manifest binds a role to %s is unknown: %v", name, err)}}
	}
	var doubts []Doubt
	for _, grant := range found {
		if grant.Reaches(namespace) {
			doubts = append(doubts, Doubt{Position: grant.Position, Message: "can bind a role to " + name + " in a way that salint does not read"})
		}
	}
	return doubts
}

// nameOf returns the name of an identity for messages.
func nameOf(who rbac.Identity) string {
	account, isAccount := objects.ParseUser(who.User)
	switch {
	case isAccount:
		return SubjectName(rbac.Account(account))
	case who.User == "":
		return "the groups " + strings.Join(who.Groups, ", ")
	}
	return SubjectName(rbac.Subject{Kind: rbac.KindUser, Name: who.User})
}
