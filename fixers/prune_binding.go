package fixers

import (
	"strings"

	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// pruneBinding removes subjects of a binding that name synthetic identities nobody has: the one that the request points
// at, else all of them. A binding without any other subject goes as a whole.
func pruneBinding(c *Context, r Request) (*Plan, error) {
	if !isBinding(r.Object) {
		return nil, refuse("%s %s is no binding", r.Object.Kind, r.Object.Name)
	}
	units := c.Repo.unitsWith(r.Object)
	if len(units) == 0 {
		return nil, refuse("%s is in nothing that is applied as it stands, such as a chart's template: remove it by hand", r.Object.File)
	}
	if err := c.checkEditable(r.Object); err != nil {
		return nil, err
	}
	p := &Plan{Object: r.Object}
	indexes := syntheticSubjects(r)
	if err := checkOthersActivated(r.Object, indexes...); err != nil {
		return nil, err
	}
	for _, i := range indexes {
		for _, unit := range units {
			if err := checkIdentityUnused(c, unit, r.Object, i); err != nil {
				return nil, err
			}
			if b, ok := subjectGrant(unit, r.Object, i); ok {
				p.Losses = append(p.Losses, grantChangeOf(b, Pruned))
			}
		}
	}
	switch len(indexes) {
	case 0:
		return nil, refuse("%s %s names no synthetic identity", r.Object.Kind, r.Object.Name)
	case subjectCount(r.Object):
		p.Description = "Remove " + identityOf(r.Object).String()
	default:
		p.Description = "Remove " + subjectList(r.Object, indexes) + " from " + identityOf(r.Object).String()
	}
	removeSubjects(p, r.Object, indexes, repo.OrderRemoval)
	c.Repo.declareBuiltChanges(p)
	return p, nil
}

// syntheticSubjects lists the subjects that the request is about.
func syntheticSubjects(r Request) []int {
	if i := subjectIndex(r.Path); i >= 0 && isSynthetic(readSubject(r.Object, i)) {
		return []int{i}
	}
	var indexes []int
	for i := range subjectCount(r.Object) {
		if isSynthetic(readSubject(r.Object, i)) {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

func isSynthetic(s rbac.Subject) bool {
	return s == groupSubject() || s.Kind == rbac.KindUser && strings.HasPrefix(s.Name, olm.User(""))
}

// checkIdentityUnused refuses to remove the grant of an identity that OLM acts as, or may act as: that of an extension of the unit
// for which identities count.
func checkIdentityUnused(c *Context, u *objects.Unit, binding *objects.Object, index int) error {
	subject := readSubject(binding, index)
	group := extensionGroup
	for _, o := range u.Find(objects.Query{Group: &group, Kind: olm.ClusterExtensionKind}) {
		if model := c.Lookups.Target(u, o).Model; model == olm.Ignored || model == olm.Removed {
			continue
		}
		if subject == groupSubject() || subject.Name == olm.User(o.Name) || rbac.Templated(o.Name) {
			return refuse("%s of %s may belong to ClusterExtension %s at %s, which %s applies: remove it by hand if it does not",
				subjectName(subject), binding.Name, o.Name, o.Position(nil), u)
		}
	}
	return nil
}

func subjectList(binding *objects.Object, indexes []int) string {
	var names []string
	for _, i := range indexes {
		names = append(names, subjectName(readSubject(binding, i)))
	}
	return strings.Join(names, ", ")
}
