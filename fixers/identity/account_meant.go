package identity

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// checkAccountMeant refuses to carry over the grants of an account of which plain files have several, as for several clusters, unless
// each one that the extension can mean has exactly these grants.
func checkAccountMeant(c *engine.Context, v *Variant, u *objects.Unit, held HeldGrants) error {
	if u.Kind != objects.PlainUnit || held.subject.Kind != rbac.KindServiceAccount {
		return nil
	}
	core := ""
	accounts := u.Find(objects.Query{Group: &core, Kind: rbac.KindServiceAccount, Namespace: held.subject.Namespace, Name: held.subject.Name})
	if len(accounts) < 2 {
		return nil
	}
	folders := objects.NewFolderIndex(accounts)
	for _, o := range accounts {
		if c.Repo.MeansNamesake(o, v.Object.File) || c.Repo.IsOfAnotherFolder(o, v.Object.File) {
			continue
		}
		own := held.except(func(b rbac.Binding) bool {
			return b.Via == "" && !slices.Contains(folders.Nearest(b.Object), o)
		})
		if !slices.Equal(own.list, held.list) {
			return engine.Refuse("%s is defined at %s, and only a part of its bindings belongs to the one at %s, so it is unknown what the "+
				"extension has on its cluster: list the objects that are applied together in a kustomization",
				engine.SubjectName(held.subject), engine.Places(accounts), o.Position(nil))
		}
	}
	return nil
}
