package subjects

import (
	"path"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// CompleteSubject completes all subjects because of which the API server rejects a binding: an account gets its namespace if
// there is one account of that name, and an apiGroup is corrected. The API server then accepts the binding, which grants its
// role to all its subjects. So the fix is unsafe, unless other bindings grant the same to all of them.
func CompleteSubject(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	if err := checkPath(r.Object, r.Path); err != nil {
		return nil, err
	}
	if err := c.CheckApplied(r.Object, "complete it by hand"); err != nil {
		return nil, err
	}
	refused := rbac.RefusedSubjects(r.Object)
	if err := c.CheckEditable(r.Object, completedFields(r.Object, refused)...); err != nil {
		return nil, err
	}
	p := &engine.Plan{Object: r.Object, Description: "Complete the subjects of " + engine.NameOf(r.Object).String()}
	forms := c.Repo.AppliedForms(r.Object)
	subjects := make([]rbac.Subject, Count(r.Object))
	for i := range subjects {
		subjects[i] = Read(r.Object, i)
		if !slices.Contains(refused, i) {
			continue
		}
		completed, err := completeOne(c, p, forms, i)
		if err != nil {
			return nil, err
		}
		subjects[i] = completed
	}
	if len(p.Changes) == 0 {
		return nil, engine.Refuse("the subjects of %s need no completion", engine.NameOf(r.Object))
	}
	declareCompleted(p, forms, subjects)
	c.DeclareBuiltChanges(p)
	return p, nil
}

// completedFields returns the fields of some subjects that the fix reads and writes.
func completedFields(binding *objects.Object, indexes []int) []manifest.Path {
	var paths []manifest.Path
	for _, i := range indexes {
		paths = append(paths, Path(i).Join("kind"), Path(i).Join("apiGroup"))
		if binding.Kind == "ClusterRoleBinding" { // kustomize sets the namespaces of a RoleBinding
			paths = append(paths, Path(i).Join("namespace"))
		}
	}
	return paths
}

// completeOne adds what one subject lacks, and returns the completed subject.
func completeOne(c *engine.Context, p *engine.Plan, forms []applied.Form, index int) (rbac.Subject, error) {
	binding := p.Object
	subject := Read(binding, index)
	n, path := binding.Node.Lookup(Path(index)), binding.At(Path(index))
	before := len(p.Changes)
	group, isUser := n.Get("apiGroup").String(), subject.Kind == rbac.KindUser || subject.Kind == rbac.KindGroup
	switch {
	case subject.Kind == rbac.KindServiceAccount && group != "":
		p.AddChange(binding, engine.Change{Op: engine.RemoveValue, Path: path.Join("apiGroup"), Order: commit.OrderOther})
	case isUser && group != "" && group != rbac.Group:
		p.AddChange(binding, engine.Change{Op: engine.SetText, Path: path.Join("apiGroup"), Value: rbac.Group, Order: commit.OrderOther})
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
			Path(index), engine.NameOf(binding), binding.Position(Path(index)))
	}
	return subject, nil
}

// namespaceChange sets the namespace of a subject that has an empty one or none.
func namespaceChange(subject *manifest.Node, path manifest.Path, namespace string) engine.Change {
	change := engine.Change{Op: engine.AddField, Path: path.Join("namespace"), After: "name", Value: namespace, Order: commit.OrderOther}
	if _, there := subject.Field(manifest.Path{"namespace"}); there {
		change.Op, change.After = engine.SetText, ""
	}
	return change
}

// accountNamespace returns the namespace of the only account that a subject can name, which must be the same in all units.
// Units may apply the binding and the account under other names.
func accountNamespace(forms []applied.Form, index int) (string, error) {
	core, namespace := "", ""
	for _, f := range forms {
		name := Read(f.Object, index).Name
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

// declareCompleted declares that the subjects gain the role once the API server accepts the binding. If other bindings grant
// the role to all of them, nothing is declared, so that the proof accepts no gain, and the fix is safe.
func declareCompleted(p *engine.Plan, forms []applied.Form, subjects []rbac.Subject) {
	activated := false
	for _, f := range forms {
		grant, ok := grantOf(f.Unit, f.Object)
		if !ok {
			activated = true
			continue
		}
		for i := range subjects {
			subject := Read(f.Object, i)
			if subject.Namespace == "" {
				subject.Namespace = subjects[i].Namespace
			}
			activated = activated || !isGranted(f, subject, grant)
			p.Gains = append(p.Gains, engine.GrantChange{Subject: subject, Grant: grant, Unit: f.Unit})
		}
	}
	if activated {
		p.Description += ", which activates its grant"
		return
	}
	p.Kind, p.Gains = finding.Safe, nil
	p.Description += ", all of which other bindings already grant the same"
}

// isGranted reports whether another binding certainly grants a role to a subject in the same cluster. Plain files in
// different folders may go to different clusters.
func isGranted(f applied.Form, s rbac.Subject, grant rbac.Grant) bool {
	return slices.ContainsFunc(rbac.BindingsOf(f.Unit, nil, s), func(b rbac.Binding) bool {
		isCertain := b.Refused == "" && b.TransientField == "" && !b.Uncertain && !b.Duplicate && !b.Default && len(b.Tie) == 0 && b.Via == ""
		isSame := b.Role == grant.Role && (b.Scope == grant.Scope || b.Scope == "") && !rbac.Templated(b.Scope) && b.Scope != rbac.UnknownNamespace
		isNear := f.Unit.Kind != objects.PlainUnit || path.Dir(b.Object.File) == path.Dir(f.Object.File)
		return isCertain && isSame && isNear && !applied.SameSource(b.Object, f.Object)
	})
}
