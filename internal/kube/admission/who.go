package admission

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/rbac"
)

// Who is a subject of bindings, as admission meets it.
type Who struct {
	// User and Groups are what the API server knows it by.
	User   string
	Groups []string
	// Another is the user name of another member of a group, "" for who is none: expressions that tell the two apart ask for
	// what is not known of a group.
	Another string
	// Called is how reasons call it.
	Called string
	// Templated tells that its name is filled in later.
	Templated bool
	// Allowed answers what expressions ask the authorizer about it; known is false where that cannot be told.
	Allowed func(rbac.Request) (allowed, known bool)
}

// nobody and another are user names of members of a group, of whom nothing is known but that. No policy names them, and they
// have nothing in common.
const (
	nobody  = "any-member-of-the-group"
	another = "Zoë@EXAMPLE"
)

const (
	accountsPrefix  = "system:serviceaccount:"
	accountsGroup   = "system:serviceaccounts"
	authenticated   = "system:authenticated"
	unauthenticated = "system:unauthenticated"
	anonymous       = "system:anonymous"
)

// Subject makes one of a subject. A group stands for a member that nobody has named: who limits its members must limit
// that one, and an exemption for one user of it exempts nobody else.
func Subject(s rbac.Subject, allowed func(rbac.Request) (allowed, known bool)) Who {
	who := Who{Called: called(s), Allowed: allowed, Templated: rbac.Templated(s.Namespace + s.Name)}
	if s.Kind != rbac.KindGroup {
		identity := s.Identity()
		who.User, who.Groups = identity.User, identity.Groups
		return who
	}
	prefix := ""
	who.Groups = []string{s.Name, authenticated}
	switch namespace, ofNamespace := strings.CutPrefix(s.Name, accountsGroup+":"); {
	case s.Name == unauthenticated:
		who.User, who.Groups = anonymous, []string{unauthenticated}
		return who
	case ofNamespace:
		prefix = accountsPrefix + namespace + ":"
		who.Groups = append(who.Groups, accountsGroup)
	case s.Name == accountsGroup:
		prefix = accountsPrefix
	}
	who.User, who.Another = prefix+nobody, prefix+another
	if s.Name == accountsGroup {
		who.User, who.Another = prefix+nobody+":"+nobody, prefix+another+":"+another
	}
	slices.Sort(who.Groups)
	who.Groups = slices.Compact(who.Groups)
	return who
}

func called(s rbac.Subject) string {
	if s.Namespace != "" {
		return s.Kind + " " + s.Namespace + "/" + s.Name
	}
	return s.Kind + " " + s.Name
}
