package fixers

import (
	"slices"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// use is a place where an object other than an extension uses the extension's account.
type use struct {
	object *objects.Object
	path   manifest.Path
}

// userOf finds somebody else who uses an account of the extension, such as a pod; ok is false where there is none. Among
// the objects that no rule asked for, it looks at those that mention the name. The error is a *Refusal, or a file that
// could not be read.
func (c *Context) userOf(e *extension, account rbac.Subject) (found use, ok bool, err error) {
	if account.Kind != rbac.KindServiceAccount {
		return use{}, false, nil
	}
	for _, unit := range e.units {
		for _, ref := range unit.References(objects.Account{Namespace: account.Namespace, Name: account.Name}) {
			if isUse(ref) && !sameSource(ref.Object, e.object) {
				return use{ref.Object, ref.Path}, true, nil
			}
		}
	}
	if c.Mentions == nil {
		return use{}, false, nil
	}
	mentions, err := c.Mentions([]string{account.Name})
	if err != nil {
		return use{}, false, err
	}
	for _, m := range mentions[account.Name] {
		o := c.object(m)
		if o == nil || sameSource(o, e.object) || c.foreign(e.object, m.File) {
			continue
		}
		if c.usesAccount(o, m.Path, account) {
			return use{o, m.Path}, true, nil
		}
	}
	return use{}, false, nil
}

// usesAccount tells whether a field of an object names an account that it uses.
func (c *Context) usesAccount(o *objects.Object, path manifest.Path, account rbac.Subject) bool {
	return slices.ContainsFunc(c.references(o), func(ref objects.Reference) bool {
		return isUse(ref) && slices.Equal(ref.Path, path) &&
			mayBe(ref.Account, objects.Account{Namespace: account.Namespace, Name: account.Name})
	})
}

// isUse tells whether a reference makes use of an account. To define it, or to grant it something, is none.
func isUse(ref objects.Reference) bool {
	return ref.What != objects.Definition && ref.What != objects.Subject
}

// checkAlone refuses to grant anything to an account that somebody else uses.
func (c *Context) checkAlone(e *extension, account rbac.Subject, missing []rbac.Grant) error {
	if len(missing) == 0 {
		return nil
	}
	found, ok, err := c.userOf(e, account)
	if !ok || err != nil {
		return err
	}
	return refuse("%s at %s uses %s, and would be granted %s with it: name another account by hand",
		identityOf(found.object), found.object.Position(found.path), subjectName(account), grantNames(missing))
}

// checkUnused refuses to take permissions from an account that somebody else uses.
func (c *Context) checkUnused(e *extension, account rbac.Subject) error {
	found, ok, err := c.userOf(e, account)
	if !ok || err != nil {
		return err
	}
	return refuse("%s at %s uses %s as well, and would lose what that may do: give it an account of its own first",
		identityOf(found.object), found.object.Position(found.path), subjectName(account))
}
