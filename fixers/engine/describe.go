package engine

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Places returns the positions of objects, joined by "and".
func Places(objects []*objects.Object) string {
	var names []string
	for _, o := range objects {
		names = append(names, o.Position(nil).String())
	}
	return strings.Join(names, " and ")
}

// ObjectName identifies an object within a deployment unit.
type ObjectName struct{ Group, Kind, Namespace, Name string }

// String returns the kind, and the name with the namespace if there is one.
func (i ObjectName) String() string {
	if i.Namespace == "" {
		return i.Kind + " " + i.Name
	}
	return i.Kind + " " + i.Namespace + "/" + i.Name
}

// NameOf returns the name of an object.
func NameOf(o *objects.Object) ObjectName {
	return ObjectName{o.Group, o.Kind, o.Namespace, o.Name}
}

// MaxListed is the number of identities that a description lists individually.
const MaxListed = 3

// ShortList joins descriptions that share a beginning.
func ShortList(descriptions []string, beginning string) string {
	text := descriptions[0]
	for i, further := range descriptions[1:] {
		if i+1 == MaxListed {
			return fmt.Sprintf("%s; and %d more of this kind", text, len(descriptions)-MaxListed)
		}
		text += "; " + strings.TrimPrefix(strings.TrimLeft(strings.TrimPrefix(further, beginning), ",: "), "and ")
	}
	return text
}

// Plural returns a number with a noun; for 1, the noun alone.
func Plural(n int, what string) string {
	if n == 1 {
		return what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// GroupSubject returns the group of all synthetic users.
func GroupSubject() rbac.Subject { return rbac.Subject{Kind: rbac.KindGroup, Name: olm.Group} }

// SubjectName returns the name of a subject in messages.
func SubjectName(s rbac.Subject) string {
	switch {
	case s.Kind != rbac.KindServiceAccount:
		return s.Kind + " " + s.Name
	case s.Namespace == "":
		return "ServiceAccount " + s.Name
	}
	return fmt.Sprintf("ServiceAccount %s/%s", s.Namespace, s.Name)
}

// GrantName returns the name of a grant in messages: the role, and its namespace if it has one.
func GrantName(g rbac.Grant) string {
	name := g.Role.Kind + " " + g.Role.Name
	if g.Scope == "" {
		return name
	}
	return name + " in " + g.Scope
}

// GrantNames returns the names of grants, separated by commas.
func GrantNames(grants []rbac.Grant) string {
	names := make([]string, len(grants))
	for i, g := range grants {
		names[i] = GrantName(g)
	}
	return strings.Join(names, ", ")
}
