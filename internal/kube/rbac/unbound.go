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
