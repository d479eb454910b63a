package rbac

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// mastersGroup is let through before RBAC is asked (kube-apiserver, NewPrivilegedGroups).
const mastersGroup = "system:masters"

// Identity is someone as the API server sees him after authentication: a user name, and all groups he is in,
// system:authenticated included. The user name of an account whose namespace is not known leaves it out:
// system:serviceaccount::name.
type Identity struct {
	User   string
	Groups []string
}

// Identity is what the API server makes of a subject: a user, or the user of an account, with the groups it is in without
// anybody saying so; or, for a group, somebody of whom nothing else is known than that group.
func (s Subject) Identity() Identity {
	if s.Kind == KindGroup {
		return Identity{Groups: []string{s.Name}}
	}
	user := s.Name
	if account, ok := s.account(); ok {
		user = account.User()
	}
	return Identity{User: user, Groups: s.Groups()}
}

// Privileged reports whether the API server lets the identity do everything without asking RBAC.
func (who Identity) Privileged() bool { return slices.Contains(who.Groups, mastersGroup) }

// account returns the account whose user name it is. Its namespace is "" when it is not known.
func (who Identity) account() (objects.Account, bool) {
	if account, ok := objects.ParseUser(who.User); ok {
		return account, true
	}
	name, ok := strings.CutPrefix(who.User, accountUser+":")
	return objects.Account{Name: name}, ok && name != "" && !strings.Contains(name, ":")
}

// subject is the subject that names the user; false when there is none.
func (who Identity) subject() (Subject, bool) {
	if account, ok := who.account(); ok {
		return Account(account), true
	}
	return Subject{Kind: KindUser, Name: who.User}, who.User != ""
}

// key tells identities apart.
func (who Identity) key() string {
	return who.User + "\x00" + strings.Join(who.Groups, "\x00")
}

// BindingsFor lists the bindings that reach an identity by its user name or one of its groups, as BindingsOf does for a
// subject. Via is the group.
func BindingsFor(u *objects.Unit, from *objects.Object, who Identity) []Binding {
	if from == nil || u.Kind != objects.PlainUnit {
		return indexOf(u).of(who)
	}
	return indexOf(u).near(from, who)
}
