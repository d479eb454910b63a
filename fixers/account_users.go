package fixers

import (
	"slices"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// accountUse is a place where an object other than an extension uses the extension's account.
type accountUse struct {
	object *objects.Object
	path   manifest.Path
}

// otherUserOf finds somebody else who uses an account of the extension, such as a pod; ok is false where there is none. Among
// the objects that no rule asked for, it looks at those that mention the name. The error is a *Refusal, or a file that
// could not be read.
func otherUserOf(c *Context, e *variant, account rbac.Subject) (found accountUse, ok bool, err error) {
	if account.Kind != rbac.KindServiceAccount {
		return accountUse{}, false, nil
	}
	for _, unit := range e.units {
		for _, ref := range unit.References(objects.Account{Namespace: account.Namespace, Name: account.Name}) {
			if isUse(ref) && !sameSource(ref.Object, e.object) {
				return accountUse{ref.Object, ref.Path}, true, nil
			}
		}
	}
	if c.Lookups.References == nil {
		return accountUse{}, false, nil
	}
	mentions, err := c.Lookups.References([]string{account.Name})
	if err != nil {
		return accountUse{}, false, err
	}
	for _, m := range mentions[account.Name] {
		o := c.Repo.mentionedObject(m)
		if o == nil || sameSource(o, e.object) || c.Repo.meansNamesake(e.object, m.File) {
			continue
		}
		if usesAccount(c, o, m.Path, account) {
			return accountUse{o, m.Path}, true, nil
		}
	}
	return accountUse{}, false, nil
}

// usesAccount tells whether a field of an object names an account that it uses.
func usesAccount(c *Context, o *objects.Object, path manifest.Path, account rbac.Subject) bool {
	return slices.ContainsFunc(c.Repo.references(o), func(ref objects.Reference) bool {
		return isUse(ref) && slices.Equal(ref.Path, path) &&
			mayMatch(ref.Account, objects.Account{Namespace: account.Namespace, Name: account.Name})
	})
}

// isUse tells whether a reference makes use of an account. To define it, or to grant it something, is none.
func isUse(ref objects.Reference) bool {
	return ref.What != objects.Definition && ref.What != objects.Subject
}

// checkNoOtherGains refuses to grant anything to an account that somebody else uses.
func checkNoOtherGains(c *Context, e *variant, account rbac.Subject, missing []rbac.Grant) error {
	if len(missing) == 0 {
		return nil
	}
	found, ok, err := otherUserOf(c, e, account)
	if !ok || err != nil {
		return err
	}
	return refuse("%s at %s uses %s, and would be granted %s with it: name another account by hand",
		identityOf(found.object), found.object.Position(found.path), subjectName(account), grantNames(missing))
}

// checkNoOtherLoses refuses to take permissions from an account that somebody else uses.
func checkNoOtherLoses(c *Context, e *variant, account rbac.Subject) error {
	found, ok, err := otherUserOf(c, e, account)
	if !ok || err != nil {
		return err
	}
	return refuse("%s at %s uses %s as well, and would lose what that may do: give it an account of its own first",
		identityOf(found.object), found.object.Position(found.path), subjectName(account))
}
