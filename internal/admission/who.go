package admission

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/rbac"
)

// Who is a subject of bindings, as admission meets it.
type Who struct {
	// User and Groups are what the API server knows it by.
	User   string
	Groups []string
	// Allowed answers what expressions ask the authorizer about it.
	Allowed func(rbac.Request) bool
}

// nobody is the user name of a member of a group, of whom nothing is known but that. No policy names it.
const nobody = "any-member-of-the-group"

const (
	accountsPrefix  = "system:serviceaccount:"
	accountsGroup   = "system:serviceaccounts"
	authenticated   = "system:authenticated"
	unauthenticated = "system:unauthenticated"
	anonymous       = "system:anonymous"
)

// Subject makes one of a subject. A group stands for a member that nobody has named: who limits its members must limit
// that one, and an exemption for one user of it exempts nobody else.
func Subject(s rbac.Subject, allowed func(rbac.Request) bool) Who {
	if s.Kind != rbac.KindGroup {
		identity := s.Identity()
		return Who{User: identity.User, Groups: identity.Groups, Allowed: allowed}
	}
	who := Who{User: nobody, Groups: []string{s.Name, authenticated}, Allowed: allowed}
	switch namespace, ofNamespace := strings.CutPrefix(s.Name, accountsGroup+":"); {
	case s.Name == unauthenticated:
		return Who{User: anonymous, Groups: []string{unauthenticated}, Allowed: allowed}
	case ofNamespace:
		who.User = accountsPrefix + namespace + ":" + nobody
		who.Groups = append(who.Groups, accountsGroup)
	case s.Name == accountsGroup:
		who.User = accountsPrefix + nobody + ":" + nobody
	}
	slices.Sort(who.Groups)
	who.Groups = slices.Compact(who.Groups)
	return who
}
