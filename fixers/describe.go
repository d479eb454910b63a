package fixers

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

func places(objects []*objects.Object) string {
	var names []string
	for _, o := range objects {
		names = append(names, o.Position(nil).String())
	}
	return strings.Join(names, " and ")
}

// Identity names an object among those that are applied together.
type Identity struct{ Group, Kind, Namespace, Name string }

func (i Identity) String() string {
	if i.Namespace == "" {
		return i.Kind + " " + i.Name
	}
	return i.Kind + " " + i.Namespace + "/" + i.Name
}

func identityOf(o *objects.Object) Identity {
	return Identity{o.Group, o.Kind, o.Namespace, o.Name}
}

// extensionGroup is the API group of extensions.
const extensionGroup = "olm.operatorframework.io"

// maxListed is of how many identities a description speaks one by one.
const maxListed = 3

// shortList joins descriptions that have their beginning in common.
func shortList(descriptions []string, beginning string) string {
	text := descriptions[0]
	for i, further := range descriptions[1:] {
		if i+1 == maxListed {
			return fmt.Sprintf("%s; and %d more of the same kind", text, len(descriptions)-maxListed)
		}
		text += "; " + strings.TrimPrefix(strings.TrimLeft(strings.TrimPrefix(further, beginning), ",: "), "and ")
	}
	return text
}

func plural(n int, what string) string {
	if n == 1 {
		return what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func groupSubject() rbac.Subject { return rbac.Subject{Kind: rbac.KindGroup, Name: olm.Group} }

// subjectName is how messages call a subject.
func subjectName(s rbac.Subject) string {
	switch {
	case s.Kind != rbac.KindServiceAccount:
		return s.Kind + " " + s.Name
	case s.Namespace == "":
		return "ServiceAccount " + s.Name
	}
	return fmt.Sprintf("ServiceAccount %s/%s", s.Namespace, s.Name)
}

// grantName is how messages call a role in its scope.
func grantName(g rbac.Grant) string {
	name := g.Role.Kind + " " + g.Role.Name
	if g.Scope == "" {
		return name
	}
	return name + " in " + g.Scope
}

func grantNames(grants []rbac.Grant) string {
	names := make([]string, len(grants))
	for i, g := range grants {
		names[i] = grantName(g)
	}
	return strings.Join(names, ", ")
}
