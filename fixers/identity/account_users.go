package identity

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// accountUse is a place where an object other than an extension uses the account of the extension.
type accountUse struct {
	object *objects.Object
	path   manifest.Path
}

// otherUserOf finds another user of an account of the extension, such as a pod; ok is false if there is none. Of the objects
// that no rule asked for, it reads those that mention the name. The error is a *Refusal, or about a file that could not be
// read.
func otherUserOf(c *engine.Context, v *Variant, account rbac.Subject) (found accountUse, ok bool, err error) {
	if account.Kind != rbac.KindServiceAccount {
		return accountUse{}, false, nil
	}
	for _, unit := range v.Units {
		for _, ref := range unit.References(objects.Account{Namespace: account.Namespace, Name: account.Name}) {
			if isUse(ref) && !applied.SameSource(ref.Object, v.Object) {
				return accountUse{ref.Object, ref.Path}, true, nil
			}
		}
	}
	mentions, err := c.Lookups.References([]string{account.Name})
	if err != nil {
		return accountUse{}, false, err
	}
	for _, m := range mentions[account.Name] {
		o := m.ObjectIn(c.Repo)
		if o == nil || applied.SameSource(o, v.Object) || c.Repo.MeansNamesake(v.Object, m.File) {
			continue
		}
		if usesAccount(c, o, m.Path, account) {
			return accountUse{o, m.Path}, true, nil
		}
	}
	return accountUse{}, false, nil
}

// usesAccount reports whether a field of an object names an account that the object uses.
func usesAccount(c *engine.Context, o *objects.Object, path manifest.Path, account rbac.Subject) bool {
	return slices.ContainsFunc(o.References(), func(ref objects.Reference) bool {
		return isUse(ref) && slices.Equal(ref.Path, path) &&
			uses.MayMatch(ref.Account, objects.Account{Namespace: account.Namespace, Name: account.Name})
	})
}

// isUse reports whether a reference uses an account. The definition of the account and its grants are no uses.
func isUse(ref objects.Reference) bool {
	return ref.What != objects.Definition && ref.What != objects.Subject
}

// checkNoOtherGains refuses to grant anything to an account that has other users.
func checkNoOtherGains(c *engine.Context, v *Variant, account rbac.Subject, missing []rbac.Grant) error {
	if len(missing) == 0 {
		return nil
	}
	found, ok, err := otherUserOf(c, v, account)
	if !ok || err != nil {
		return err
	}
	return engine.Refuse("%s at %s uses %s, and would also be granted %s: name another account by hand",
		engine.NameOf(found.object), found.object.Position(found.path), engine.SubjectName(account), engine.GrantNames(missing))
}

// checkNoOtherLoses refuses to take permissions from an account that has other users.
func checkNoOtherLoses(c *engine.Context, v *Variant, account rbac.Subject) error {
	found, ok, err := otherUserOf(c, v, account)
	if !ok || err != nil {
		return err
	}
	return engine.Refuse("%s at %s also uses %s, and would lose its permissions: give it a separate account first",
		engine.NameOf(found.object), found.object.Position(found.path), engine.SubjectName(account))
}
