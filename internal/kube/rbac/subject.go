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

// Subject is the subject of a grant. The namespace is that of an account, "" if it is unknown, and "" for users and groups.
type Subject struct{ Kind, Namespace, Name string }

// Account is the subject for a service account.
func Account(a objects.Account) Subject {
	return Subject{Kind: KindServiceAccount, Namespace: a.Namespace, Name: a.Name}
}

// Account returns the account of a subject: a ServiceAccount, or the User with an account's user name. The API server
// treats them alike.
func (s Subject) Account() (objects.Account, bool) {
	switch s.Kind {
	case KindServiceAccount:
		return objects.Account{Namespace: s.Namespace, Name: s.Name}, true
	case KindUser:
		return objects.ParseUser(s.Name)
	}
	return objects.Account{}, false
}

// Groups are the implicit groups of a subject: those of every account, the group of synthetic identities for the synthetic
// user of an extension, and system:authenticated; system:unauthenticated for system:anonymous. A group has none.
func (s Subject) Groups() []string {
	if account, ok := s.Account(); ok {
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
