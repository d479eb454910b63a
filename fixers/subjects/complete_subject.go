package subjects

import (
	"path"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// CompleteSubject mends all subjects for which the API server refuses a binding: an account gets its namespace, where there
// is one account of the name, and an apiGroup becomes the right one. The binding is taken from then on, and grants its role to
// everybody whom it names. So the fix is unsafe, unless all of them have been granted that by other bindings.
func CompleteSubject(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	if err := checkPath(r.Object, r.Path); err != nil {
		return nil, err
	}
	if err := c.Repo.CheckApplied(r.Object, "complete it by hand"); err != nil {
		return nil, err
	}
	refused := rbac.RefusedSubjects(r.Object)
	if err := c.CheckEditable(r.Object, completedFields(r.Object, refused)...); err != nil {
		return nil, err
	}
	p := &engine.Plan{Object: r.Object, Description: "Complete the subjects of " + engine.NameOf(r.Object).String()}
	forms := c.Repo.AppliedForms(r.Object)
	subjects := make([]rbac.Subject, SubjectCount(r.Object))
	for i := range subjects {
		subjects[i] = ReadSubject(r.Object, i)
		if !slices.Contains(refused, i) {
			continue
		}
		mended, err := completeOne(c, p, forms, i)
		if err != nil {
			return nil, err
		}
		subjects[i] = mended
	}
	if len(p.Changes) == 0 {
		return nil, engine.Refuse("the subjects of %s need no completion", engine.NameOf(r.Object))
	}
	declareCompleted(p, forms, subjects)
	c.Repo.DeclareBuiltChanges(p)
	return p, nil
}

// completedFields are those of some subjects that the fix looks at and writes.
func completedFields(binding *objects.Object, indexes []int) []manifest.Path {
	var paths []manifest.Path
	for _, i := range indexes {
		paths = append(paths, SubjectPath(i).Join("kind"), SubjectPath(i).Join("apiGroup"))
		if binding.Kind == "ClusterRoleBinding" { // kustomize writes it into those of a RoleBinding
			paths = append(paths, SubjectPath(i).Join("namespace"))
		}
	}
	return paths
}

// completeOne adds what one subject needs, and says whom it names then.
func completeOne(c *engine.Context, p *engine.Plan, forms []engine.UnitObject, index int) (rbac.Subject, error) {
	binding := p.Object
	subject := ReadSubject(binding, index)
	n, path := binding.Node.Lookup(SubjectPath(index)), binding.At(SubjectPath(index))
	before := len(p.Changes)
	group, isUser := n.Get("apiGroup").String(), subject.Kind == rbac.KindUser || subject.Kind == rbac.KindGroup
	switch {
	case subject.Kind == rbac.KindServiceAccount && group != "":
		p.AddChange(binding, engine.Change{Op: engine.RemoveValue, Path: path.Join("apiGroup"), Order: repo.OrderOther})
	case isUser && group != "" && group != rbac.Group:
		p.AddChange(binding, engine.Change{Op: engine.SetText, Path: path.Join("apiGroup"), Value: rbac.Group, Order: repo.OrderOther})
	}
	if subject.Kind == rbac.KindServiceAccount && subject.Namespace == "" && binding.Kind == "ClusterRoleBinding" {
		namespace, err := accountNamespace(forms, index)
		if err != nil {
			return subject, err
		}
		subject.Namespace = namespace
		p.AddChange(binding, namespaceChange(n, path, namespace))
	}
	if len(p.Changes) == before {
		return subject, engine.Refuse("the mistake in %s of %s at %s cannot be completed: correct it by hand",
			SubjectPath(index), engine.NameOf(binding), binding.Position(SubjectPath(index)))
	}
	return subject, nil
}

// namespaceChange writes the namespace into a subject, whether it has an empty one or none.
func namespaceChange(subject *manifest.Node, path manifest.Path, namespace string) engine.Change {
	change := engine.Change{Op: engine.AddField, Path: path.Join("namespace"), After: "name", Value: namespace, Order: repo.OrderOther}
	if _, there := subject.Field(manifest.Path{"namespace"}); there {
		change.Op, change.After = engine.SetText, ""
	}
	return change
}

// accountNamespace is the namespace of the only account that a subject can mean, in all units alike. They may apply binding and
// account under other names.
func accountNamespace(forms []engine.UnitObject, index int) (string, error) {
	core, namespace := "", ""
	for _, f := range forms {
		name := ReadSubject(f.Object, index).Name
		accounts, tie := f.Unit.Near(f.Object, f.Unit.Find(objects.Query{Group: &core, Kind: rbac.KindServiceAccount, Name: name}))
		if len(accounts) != 1 || len(tie) > 0 || accounts[0].Namespace == "" || rbac.Templated(accounts[0].Namespace) {
			return "", engine.Refuse("the namespace of %s is unknown: the repository has no account of that name, or "+
				"several, or one without a known namespace. Set the namespace by hand", name)
		}
		if namespace != "" && namespace != accounts[0].Namespace {
			return "", engine.Refuse("%s is in namespace %s and in namespace %s, depending on the unit: set the namespace by "+
				"hand",
				name, namespace, accounts[0].Namespace)
		}
		namespace = accounts[0].Namespace
	}
	return namespace, nil
}

// declareCompleted says who is granted the role once the binding is taken: everybody it names. Where all of them have it by
// other bindings nothing is declared, so that the proof lets nobody gain anything, and the fix is safe.
func declareCompleted(p *engine.Plan, forms []engine.UnitObject, subjects []rbac.Subject) {
	woken := false
	for _, f := range forms {
		grant, ok := grantOf(f.Unit, f.Object)
		if !ok {
			woken = true
			continue
		}
		for i := range subjects {
			subject := ReadSubject(f.Object, i)
			if subject.Namespace == "" {
				subject.Namespace = subjects[i].Namespace
			}
			woken = woken || !isGranted(f, subject, grant)
			p.Gains = append(p.Gains, engine.GrantChange{Subject: subject, Grant: grant, Unit: f.Unit})
		}
	}
	if woken {
		p.Description += ", which activates its grant"
		return
	}
	p.Kind, p.Gains = finding.Safe, nil
	p.Description += ", all of which other bindings already grant the same"
}

// isGranted tells whether it is certain that somebody is granted a role by another binding than that of a unit, on the same
// cluster: plain files in different folders may go to different ones.
func isGranted(f engine.UnitObject, s rbac.Subject, grant rbac.Grant) bool {
	return slices.ContainsFunc(rbac.BindingsOf(f.Unit, nil, s), func(b rbac.Binding) bool {
		isCertain := b.Refused == "" && b.Passing == "" && !b.Uncertain && !b.Again && !b.Default && len(b.Tie) == 0 && b.Via == ""
		isSame := b.Role == grant.Role && (b.Scope == grant.Scope || b.Scope == "") && !rbac.Templated(b.Scope) && b.Scope != rbac.UnknownNamespace
		isNear := f.Unit.Kind != objects.PlainUnit || path.Dir(b.Object.File) == path.Dir(f.Object.File)
		return isCertain && isSame && isNear && !engine.SameSource(b.Object, f.Object)
	})
}
