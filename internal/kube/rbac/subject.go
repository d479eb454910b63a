package rbac

import (
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// Kinds of subjects.
const (
	KindServiceAccount = "ServiceAccount"
	KindUser           = "User"
	KindGroup          = "Group"
)

// Group is the API group of roles and bindings and, in subjects, of users and groups.
const Group = "rbac.authorization.k8s.io"

const (
	anonymousUser      = "system:anonymous"
	anonymousGroup     = "system:unauthenticated"
	authenticatedGroup = "system:authenticated"
	accountsGroup      = "system:serviceaccounts"
	accountsGroupIn    = "system:serviceaccounts:" // followed by a namespace
)

// Subject is someone to whom roles are granted. The namespace is an account's, "" when it is not known, and "" for users
// and groups.
type Subject struct{ Kind, Namespace, Name string }

// Account is the subject for a service account.
func Account(a objects.Account) Subject {
	return Subject{Kind: KindServiceAccount, Namespace: a.Namespace, Name: a.Name}
}

// account returns the account behind a subject: a ServiceAccount, or the User with an account's user name. To the API
// server these are one and the same.
func (s Subject) account() (objects.Account, bool) {
	switch s.Kind {
	case KindServiceAccount:
		return objects.Account{Namespace: s.Namespace, Name: s.Name}, true
	case KindUser:
		return objects.ParseUser(s.Name)
	}
	return objects.Account{}, false
}

// Groups are the groups that a subject is in without anybody saying so: those of every account, the group of synthetic
// identities for the synthetic user of an extension, and system:authenticated; system:unauthenticated for
// system:anonymous. A group is in none.
func (s Subject) Groups() []string {
	if account, ok := s.account(); ok {
		groups := []string{accountsGroup, authenticatedGroup}
		if account.Namespace != "" {
			groups = append(groups, accountsGroupIn+account.Namespace)
		}
		return groups
	}
	switch {
	case s.Kind != KindUser:
		return nil
	case s.Name == anonymousUser:
		return []string{anonymousGroup}
	case strings.HasPrefix(s.Name, olm.User("")):
		return olm.Groups()
	}
	return []string{authenticatedGroup}
}
