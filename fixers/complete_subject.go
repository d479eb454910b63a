package fixers

import (
	"slices"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
	"github.com/salint/salint/internal/rbac"
	"github.com/salint/salint/internal/repo"
)

// completeSubject mends all subjects for which the API server refuses a binding: an account gets its namespace, where there
// is one account of the name, and an apiGroup becomes the right one. The binding is taken from then on, and grants its role to
// everybody whom it names, so the fix is unsafe.
func completeSubject(c *Context, r Request) (*Plan, error) {
	if !isBinding(r.Object) || subjectIndex(r.Path) < 0 {
		return nil, refuse("%s of %s is no subject of a binding", r.Path, identityOf(r.Object))
	}
	units := c.unitsWith(r.Object)
	if len(units) == 0 {
		return nil, refuse("%s is in nothing that is applied as it stands, such as a chart's template: complete it by hand", r.Object.File)
	}
	if err := c.checkEditable(r.Object); err != nil {
		return nil, err
	}
	p := &Plan{Object: r.Object, Description: "Complete the subjects of " + identityOf(r.Object).String() + ", which wakes its grant"}
	refused := rbac.RefusedSubjects(r.Object)
	subjects := make([]rbac.Subject, subjectCount(r.Object))
	for i := range subjects {
		subjects[i] = readSubject(r.Object, i)
		if !slices.Contains(refused, i) {
			continue
		}
		mended, err := c.mendSubject(p, units, i)
		if err != nil {
			return nil, err
		}
		subjects[i] = mended
	}
	if len(p.Changes) == 0 {
		return nil, refuse("the subjects of %s are as they should be", identityOf(r.Object))
	}
	p.declareAwakened(units, subjects)
	c.mirror(p)
	return p, nil
}

// mendSubject adds what one subject needs, and says whom it names then.
func (c *Context) mendSubject(p *Plan, units []*inventory.Unit, index int) (rbac.Subject, error) {
	binding := p.Object
	subject := readSubject(binding, index)
	n, path := binding.Node.Lookup(subjectPath(index)), binding.At(subjectPath(index))
	before := len(p.Changes)
	group, isUser := n.Get("apiGroup").String(), subject.Kind == rbac.KindUser || subject.Kind == rbac.KindGroup
	switch {
	case subject.Kind == rbac.KindServiceAccount && group != "":
		p.change(binding, Change{Op: RemoveValue, Path: path.Join("apiGroup"), Order: repo.OrderOther})
	case isUser && group != "" && group != rbac.Group:
		p.change(binding, Change{Op: SetText, Path: path.Join("apiGroup"), Value: rbac.Group, Order: repo.OrderOther})
	}
	if subject.Kind == rbac.KindServiceAccount && subject.Namespace == "" && binding.Kind == "ClusterRoleBinding" {
		namespace, err := c.namespaceOf(binding, units, subject.Name)
		if err != nil {
			return subject, err
		}
		subject.Namespace = namespace
		p.change(binding, withNamespace(n, path, namespace))
	}
	if len(p.Changes) == before {
		return subject, refuse("what is wrong with %s of %s at %s cannot be completed: correct it by hand",
			subjectPath(index), identityOf(binding), binding.Position(subjectPath(index)))
	}
	return subject, nil
}

// withNamespace writes the namespace into a subject, whether it has an empty one or none.
func withNamespace(subject *manifest.Node, path manifest.Path, namespace string) Change {
	change := Change{Op: AddField, Path: path.Join("namespace"), After: "name", Value: namespace, Order: repo.OrderOther}
	if _, there := subject.Field(manifest.Path{"namespace"}); there {
		change.Op, change.After = SetText, ""
	}
	return change
}

// namespaceOf is the namespace of the only account of a name that a binding can mean, in all units alike.
func (c *Context) namespaceOf(binding *inventory.Object, units []*inventory.Unit, name string) (string, error) {
	core, namespace := "", ""
	for _, unit := range units {
		accounts, tie := unit.Near(binding, unit.Find(inventory.Query{Group: &core, Kind: rbac.KindServiceAccount, Name: name}))
		if len(accounts) != 1 || len(tie) > 0 || accounts[0].Namespace == "" || templated(accounts[0].Namespace) {
			return "", refuse("in which namespace %s is meant to be cannot be told: the repository has no account of that name, or several, "+
				"or one whose namespace is not known here. Write it down by hand", name)
		}
		if namespace != "" && namespace != accounts[0].Namespace {
			return "", refuse("%s is in namespace %s and in namespace %s, by what applies it: write the namespace down by hand",
				name, namespace, accounts[0].Namespace)
		}
		namespace = accounts[0].Namespace
	}
	return namespace, nil
}

// declareAwakened says who is granted the role once the binding is taken: everybody it names.
func (p *Plan) declareAwakened(units []*inventory.Unit, subjects []rbac.Subject) {
	for _, unit := range units {
		grant, ok := grantOf(unit, p.Object)
		if !ok {
			continue
		}
		for _, subject := range subjects {
			p.Gains = append(p.Gains, GrantChange{Subject: subject, Grant: grant})
		}
	}
}
