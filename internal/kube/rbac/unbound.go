package rbac

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// unboundKey is the key of the cached answer of MeantIdentity.
type unboundKey struct{}

// MeantIdentity returns the synthetic user for which a subject was probably meant that matches no identity: of the only extension of
// the unit without an account to whose user nothing is bound. It is "" for other subjects, and if there are several such extensions.
func MeantIdentity(u *objects.Unit, kind, name string) string {
	if u == nil || !olm.MeansOne(kind, name) {
		return ""
	}
	unbound := u.Cached(unboundKey{}, func() any { return unboundUsers(u) }).([]string)
	if len(unbound) != 1 {
		return ""
	}
	return unbound[0]
}

// AppliedUser returns the synthetic user of an extension under the name with which a unit applies it, for the user under the name in its
// manifest: prefixes and suffixes do not change subjects. It is the same user for any other one.
func AppliedUser(u *objects.Unit, user string) string {
	if u == nil || user == "" || u.Kind == objects.PlainUnit {
		return user
	}
	applied := u.Cached(appliedKey{}, func() any { return appliedUsers(u) }).(map[string]string)
	if as := applied[user]; as != "" {
		return as
	}
	return user
}

// appliedKey is the key of the cached answer of AppliedUser.
type appliedKey struct{}

// appliedUsers maps the users of extensions under their names in manifests to those under which a unit applies them; "" if there are
// several, or if the unit applies an extension of the name.
func appliedUsers(u *objects.Unit) map[string]string {
	users := map[string]string{}
	for _, o := range u.Objects {
		e, ok := olm.ReadExtension(o.Node)
		if !ok || e.Name == "" || e.NameTemplated {
			continue
		}
		if source := o.Source(); source != nil && source.Name != "" && source.Name != e.Name {
			if _, several := users[olm.User(source.Name)]; several {
				users[olm.User(source.Name)] = ""
			} else {
				users[olm.User(source.Name)] = olm.User(e.Name)
			}
			continue
		}
		users[olm.User(e.Name)] = ""
	}
	return users
}

func unboundUsers(u *objects.Unit) []string {
	var users []string
	for _, o := range u.Objects {
		e, ok := olm.ReadExtension(o.Node)
		if !ok || e.Name == "" || e.NameTemplated || e.Account.State != olm.Absent && e.Account.State != olm.Null {
			continue
		}
		user := olm.User(e.Name)
		bound := slices.ContainsFunc(BindingsOf(u, o, Subject{Kind: KindUser, Name: user}), func(b Binding) bool { return b.Via == "" })
		if !bound && !slices.Contains(users, user) {
			users = append(users, user)
		}
	}
	return users
}
