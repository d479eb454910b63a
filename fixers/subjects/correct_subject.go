package subjects

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// CorrectSubject corrects a subject of a binding that is written wrongly. The fix is unsafe, because it activates a grant
// that had no effect.
func CorrectSubject(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	if err := checkPath(r.Object, r.Path); err != nil {
		return nil, err
	}
	index := Index(r.Path)
	if err := CheckOthersActivated(r.Object, index); err != nil {
		return nil, err
	}
	units := c.Repo.UnitsWith(r.Object)
	if len(units) == 0 {
		return nil, engine.RefuseUnapplied(r.Object, "correct it by hand")
	}
	if err := c.CheckEditable(r.Object); err != nil {
		return nil, err
	}
	written := Read(r.Object, index)
	intended := written
	kind, name, why, mistyped := olm.Mistyped(written.Kind, written.Name)
	if !mistyped {
		kind, name, why, mistyped = rbac.MistypedAccount(written.Kind, written.Name)
	}
	if mistyped {
		if name == "" {
			kind, name = meantIn(units, written)
		}
		if kind == rbac.KindUser {
			name = appliedIn(units, name)
		}
		if kind == "" || name == "" {
			return nil, engine.Refuse("%s: %s. The intended subject is uncertain: correct it by hand", engine.SubjectName(written), why)
		}
		intended = rbac.Subject{Kind: kind, Name: name}
	}
	p := &engine.Plan{Object: r.Object}
	rewriteSubject(p, r.Object, index, intended)
	if len(p.Changes) == 0 {
		return nil, engine.Refuse("%s is already correct", engine.SubjectName(written))
	}
	p.Description = "Correct the subject to " + engine.SubjectName(intended)
	for _, unit := range units {
		declareCorrection(p, unit, r.Object, index, intended)
	}
	c.DeclareBuiltChanges(p)
	return p, nil
}

// meantIn returns the identity for which a subject was meant, if the extensions of all units show the same.
func meantIn(units []*objects.Unit, written rbac.Subject) (kind, name string) {
	for i, unit := range units {
		meant := rbac.MeantIdentity(unit, written.Kind, written.Name)
		if meant == "" || i > 0 && meant != name {
			return "", ""
		}
		name = meant
	}
	return rbac.KindUser, name
}

// appliedIn returns a user under the name with which all units apply the extension; "" if they differ.
func appliedIn(units []*objects.Unit, user string) (name string) {
	for i, unit := range units {
		applied := rbac.AppliedUser(unit, user)
		if i > 0 && applied != name {
			return ""
		}
		name = applied
	}
	return name
}

// rewriteSubject changes what differs from the intended subject: kind, name, a wrong apiGroup, and a namespace, which only
// accounts have.
func rewriteSubject(p *engine.Plan, binding *objects.Object, index int, intended rbac.Subject) {
	n, path := binding.Node.Lookup(Path(index)), binding.At(Path(index))
	set := func(key, value string) {
		if n.Get(key).String() != value {
			p.AddChange(binding, engine.Change{Op: engine.SetText, Path: path.Join(key), Value: value, Order: commit.OrderOther})
		}
	}
	set("kind", intended.Kind)
	set("name", intended.Name)
	group := rbac.Group
	if intended.Kind == rbac.KindServiceAccount {
		group = ""
	}
	if n.Get("apiGroup").String() != "" {
		set("apiGroup", group)
	}
	if _, ok := n.Field(manifest.Path{"namespace"}); ok && intended.Kind != rbac.KindServiceAccount {
		p.AddChange(binding, engine.Change{Op: engine.RemoveValue, Path: path.Join("namespace"), Order: commit.OrderOther})
	}
}

// declareCorrection declares that the intended subject gains the grant of the binding, and that the written one loses it.
func declareCorrection(p *engine.Plan, u *objects.Unit, binding *objects.Object, index int, intended rbac.Subject) {
	grant, ok := grantOf(u, binding)
	if !ok {
		return
	}
	gain := engine.GrantChange{Subject: intended, Grant: grant}
	p.Gains = append(p.Gains, gain)
	if b, ok := Grant(u, binding, index); ok {
		p.Losses = append(p.Losses, GrantChange(b, engine.Corrected))
	}
}

// grantOf returns the grant of a binding to its subjects.
func grantOf(u *objects.Unit, binding *objects.Object) (rbac.Grant, bool) {
	role := binding.Node.Get("roleRef")
	g := rbac.Grant{Role: rbac.RoleRef{Kind: role.Get("kind").String(), Name: role.Get("name").String()}}
	if binding.Kind == "RoleBinding" {
		g.Scope = binding.Namespace
		if g.Scope == "" {
			g.Scope = rbac.UnknownNamespace
		}
	}
	if g.Role.Kind == "Role" {
		g.Role.Namespace = g.Scope
	}
	return g, g.Role.Name != "" && u.Object(binding.Ref()) != nil
}
