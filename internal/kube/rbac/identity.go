package rbac

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// mastersGroup is allowed everything before RBAC is evaluated (kube-apiserver, NewPrivilegedGroups).
const mastersGroup = "system:masters"

// Identity is an authenticated identity for the API server: a user name, and all its groups, including
// system:authenticated. The user name of an account in an unknown namespace has an empty part: system:serviceaccount::name.
type Identity struct {
	User   string
	Groups []string
}

// Identity returns the identity of a subject: a user, or the user of an account, with its implicit groups; or, for a group,
// an unnamed user in that group.
func (s Subject) Identity() Identity {
	if s.Kind == KindGroup {
		return Identity{Groups: []string{s.Name}}
	}
	user := s.Name
	if account, ok := s.Account(); ok {
		user = account.User()
	}
	return Identity{User: user, Groups: s.Groups()}
}

// Privileged reports whether the API server allows the identity everything without evaluating RBAC.
func (who Identity) Privileged() bool { return slices.Contains(who.Groups, mastersGroup) }

// account returns the account with this user name. Its namespace is "" if it is unknown.
func (who Identity) account() (objects.Account, bool) {
	if account, ok := objects.ParseUser(who.User); ok {
		return account, true
	}
	name, ok := strings.CutPrefix(who.User, accountUser+":")
	return objects.Account{Name: name}, ok && name != "" && !strings.Contains(name, ":")
}

// subject returns the subject that names the user; ok is false if there is no user.
func (who Identity) subject() (Subject, bool) {
	if account, ok := who.account(); ok {
		return Account(account), true
	}
	return Subject{Kind: KindUser, Name: who.User}, who.User != ""
}

// key identifies an identity.
func (who Identity) key() string {
	return who.User + "\x00" + strings.Join(who.Groups, "\x00")
}

// BindingsFor lists the bindings that apply to an identity by its user name or one of its groups, as BindingsOf does for a
// subject. Via is the group.
func BindingsFor(u *objects.Unit, from *objects.Object, who Identity) []Binding {
	if from == nil || u.Kind != objects.PlainUnit {
		return indexOf(u).of(who)
	}
	return indexOf(u).near(from, who)
}
