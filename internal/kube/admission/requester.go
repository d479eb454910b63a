package admission

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/rbac"
)

// Requester is a subject of bindings in the form that admission requires.
type Requester struct {
	// User and Groups are its user name and groups for the API server.
	User   string
	Groups []string
	// OtherMember is the user name of another member of a group, "" if the requester is not a group: expressions with
	// different results for the two depend on unknown facts.
	OtherMember string
	// Label is its name in reasons.
	Label string
	// Templated is true if its name contains placeholders.
	Templated bool
	// Allowed answers questions of expressions to the authorizer; known is false if the repository does not determine the
	// answer.
	Allowed func(rbac.Request) (allowed, known bool)
}

// memberName and otherMemberName are user names of unnamed members of a group. No policy names them, and they have nothing
// in common.
const (
	memberName      = "any-member-of-the-group"
	otherMemberName = "Zoë@EXAMPLE"
)

const (
	accountsPrefix  = "system:serviceaccount:"
	accountsGroup   = "system:serviceaccounts"
	authenticated   = "system:authenticated"
	unauthenticated = "system:unauthenticated"
	anonymous       = "system:anonymous"
)

// RequesterOf returns the requester for a subject. A group is represented by an unnamed member: a policy that limits the
// group must limit that member, and an exemption for a named user exempts no other.
func RequesterOf(s rbac.Subject, allowed func(rbac.Request) (allowed, known bool)) Requester {
	who := Requester{Label: label(s), Allowed: allowed, Templated: rbac.Templated(s.Namespace + s.Name)}
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
	who.User, who.OtherMember = prefix+memberName, prefix+otherMemberName
	if s.Name == accountsGroup {
		who.User, who.OtherMember = prefix+memberName+":"+memberName, prefix+otherMemberName+":"+otherMemberName
	}
	slices.Sort(who.Groups)
	who.Groups = slices.Compact(who.Groups)
	return who
}

func label(s rbac.Subject) string {
	if s.Namespace != "" {
		return s.Kind + " " + s.Namespace + "/" + s.Name
	}
	return s.Kind + " " + s.Name
}
