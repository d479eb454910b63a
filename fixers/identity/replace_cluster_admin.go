package identity

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// ReplaceClusterAdmin removes an installer from a binding that makes it cluster-admin, and grants it what its bundle needs.
// The roleRef of a binding is immutable, so the new bindings have new names.
func ReplaceClusterAdmin(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	if err := subjects.CheckBinding(r.Object); err != nil {
		return nil, err
	}
	if c.Policy.Grant.Mode != engine.LeastPrivilege {
		return nil, engine.Refuse("cluster-admin is replaced only with what a bundle needs: use --grant least-privilege and " +
			"--unsafe-fixes, and name the bundle with --bundle EXTENSION=DIR or `bundles:`")
	}
	if err := c.CheckEditable(r.Object); err != nil {
		return nil, err
	}
	e, index, err := installedThrough(c, r.Object)
	if err != nil {
		return nil, err
	}
	if err := CheckAccountSetters(c, e.Object); err != nil {
		return nil, err
	}
	subject := subjects.Read(r.Object, index)
	needs, err := bundleNeeds(c, e, subject)
	if err != nil {
		return nil, err
	}
	h := Migration{From: subject, To: subject}
	if err := checkNotClusterAdmin(needs, subject); err != nil {
		return nil, err
	}
	h.roles, h.Missing = rolesFor(c, e, needs.All, subject)
	p := &engine.Plan{
		Object:      r.Object,
		Description: "Replace " + engine.NameOf(r.Object).String() + " for " + engine.SubjectName(subject) + " with " + rolesText(h.roles),
		Notes:       unpinnedNote(e, needs),
	}
	change := engine.Switch{Extension: e.Object, From: subject, To: subject, Gained: h.Missing}
	for _, unit := range e.Units {
		if b, ok := subjects.Grant(unit, r.Object, index); ok {
			p.Losses = append(p.Losses, subjects.GrantChange(b, engine.Replaced))
			change.Lost = union(change.Lost, []rbac.Grant{{Role: b.Role, Scope: b.Scope}})
		}
	}
	p.Switches = []engine.Switch{change}
	for _, g := range h.Missing {
		p.Gains = append(p.Gains, engine.GrantChange{Subject: subject, Grant: g})
	}
	subjects.Remove(p, r.Object, []int{index}, commit.OrderRemoval)
	c.DeclareBuiltChanges(p)
	return p, addGenerated(c, p, e, rolesAndBindings(c, e, h, subject), rbacFile(subject))
}

// installedThrough finds the only extension that is installed as a subject of a binding. It refuses if the subject has other
// users.
func installedThrough(c *engine.Context, binding *objects.Object) (*Variant, int, error) {
	var found *Variant
	at := -1
	group := olm.APIGroup
	for _, unit := range c.Repo.UnitsWith(binding) {
		for _, o := range unit.Find(objects.Query{Group: &group, Kind: olm.ClusterExtensionKind}) {
			e, err := uniformVariant(c, o)
			if err != nil || !slices.Contains(UnitsUsingIdentity(c, e), unit) {
				continue
			}
			subject, err := actingIdentity(c, e)
			if err != nil {
				continue
			}
			index := subjectIndexOf(c, unit, e, binding, subject)
			switch {
			case index < 0:
				continue
			case found != nil && found.Object != o:
				return nil, -1, engine.Refuse("ClusterExtension %s and ClusterExtension %s are both installed through %s: "+
					"give each a separate identity and binding first", found.Name, e.Name, engine.NameOf(binding))
			}
			found, at = e, index
		}
	}
	if found == nil {
		return nil, -1, engine.Refuse("no extension is installed as an account or user that %s names; through a group, "+
			"others would lose the permissions too", engine.NameOf(binding))
	}
	if err := found.checkNameKnown(); err != nil {
		return nil, -1, err
	}
	if err := checkUniqueInFolder(c, found); err != nil {
		return nil, -1, err
	}
	if err := checkStays(c, found); err != nil {
		return nil, -1, err
	}
	for _, unit := range c.Repo.UnitsWith(binding) {
		if !slices.Contains(found.Units, unit) {
			return nil, -1, engine.Refuse("%s also applies %s, but not ClusterExtension %s: give that unit a separate "+
				"binding first",
				unit, engine.NameOf(binding), found.Name)
		}
	}
	return found, at, checkNoOtherLoses(c, found, subjects.Read(binding, at))
}

// checkNotClusterAdmin refuses a bundle that needs cluster-admin for its installer.
func checkNotClusterAdmin(needs engine.BundleNeeds, subject rbac.Subject) error {
	for _, scoped := range needs.All {
		if scoped.Namespace == "" && rbac.IsClusterAdmin(scoped.Rules) {
			return engine.Refuse("the bundle in %s grants everything to its operator, and its installer must have these "+
				"permissions: %s would still be cluster-admin", needs.Bundle, engine.SubjectName(subject))
		}
	}
	return nil
}

// subjectIndexOf returns the index of the subject by which a binding names the identity of an extension; -1 if it does not
// name it.
func subjectIndexOf(c *engine.Context, u *objects.Unit, v *Variant, binding *objects.Object, s rbac.Subject) int {
	for _, b := range rbac.BindingsOf(u, v.objectIn(u), s) {
		if b.Object == binding && b.Via == "" && !b.Uncertain && b.Refused == "" && len(b.Tie) == 0 {
			return b.SubjectIndex
		}
	}
	return -1
}
