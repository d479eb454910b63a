package fixers

import (
	"slices"

	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// replaceClusterAdmin takes an installer out of a binding that makes it a cluster-admin, and grants it by roles of its own
// what its bundle needs. The roleRef of a binding is immutable, so there are new bindings under new names.
func replaceClusterAdmin(c *Context, r Request) (*Plan, error) {
	if !isBinding(r.Object) {
		return nil, refuse("%s %s is no binding", r.Object.Kind, r.Object.Name)
	}
	if c.Policy.Grant.Mode != LeastPrivilege {
		return nil, refuse("it is replaced only where you ask for what the bundle needs: " +
			"use --grant least-privilege with --unsafe-fixes, and name the bundle by --bundle EXTENSION=DIR or `bundles:`")
	}
	if err := c.checkEditable(r.Object); err != nil {
		return nil, err
	}
	e, index, err := installedThrough(c, r.Object)
	if err != nil {
		return nil, err
	}
	subject := readSubject(r.Object, index)
	needs, err := bundleNeeds(c, e, subject)
	if err != nil {
		return nil, err
	}
	h := identityMigration{from: subject, to: subject}
	if err := checkNotClusterAdmin(needs, subject); err != nil {
		return nil, err
	}
	h.roles, h.missing = rolesFor(c, e, needs.All, subject)
	p := &Plan{
		Object:      r.Object,
		Description: "Replace " + identityOf(r.Object).String() + " for " + subjectName(subject) + " by " + rolesText(h.roles),
		Notes:       unpinnedNote(e, needs),
	}
	change := Switch{Extension: e.object, From: subject, To: subject, Gained: h.missing}
	for _, unit := range e.units {
		if b, ok := subjectGrant(unit, r.Object, index); ok {
			p.Losses = append(p.Losses, grantChangeOf(b, Replaced))
			change.Lost = union(change.Lost, []rbac.Grant{{Role: b.Role, Scope: b.Scope}})
		}
	}
	p.Switches = []Switch{change}
	for _, g := range h.missing {
		p.Gains = append(p.Gains, GrantChange{Subject: subject, Grant: g})
	}
	removeSubjects(p, r.Object, []int{index}, repo.OrderRemoval)
	c.Repo.declareBuiltChanges(p)
	return p, addGenerated(c, p, e, rolesAndBindings(c, e, h, subject), rbacFile(subject))
}

// installedThrough finds the one extension that is installed as one of the subjects of a binding, and nobody else uses
// that subject.
func installedThrough(c *Context, binding *objects.Object) (*variant, int, error) {
	var found *variant
	at := -1
	group := extensionGroup
	for _, unit := range c.Repo.unitsWith(binding) {
		for _, o := range unit.Find(objects.Query{Group: &group, Kind: olm.ClusterExtensionKind}) {
			e, err := uniformVariant(c, o)
			if err != nil || !slices.Contains(unitsUsingIdentity(c, e), unit) {
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
			case found != nil && found.object != o:
				return nil, -1, refuse("ClusterExtension %s and ClusterExtension %s are both installed through %s: "+
					"give each an identity and a binding of its own first", found.Name, e.Name, identityOf(binding))
			}
			found, at = e, index
		}
	}
	if found == nil {
		return nil, -1, refuse("no extension is installed as an account or user that %s names; through a group others would lose it as well", identityOf(binding))
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
	for _, unit := range c.Repo.unitsWith(binding) {
		if !slices.Contains(found.units, unit) {
			return nil, -1, refuse("%s applies %s as well, and not ClusterExtension %s: give that a binding of its own first",
				unit, identityOf(binding), found.Name)
		}
	}
	return found, at, checkNoOtherLoses(c, found, readSubject(binding, at))
}

// checkNotClusterAdmin refuses a bundle that makes its installer cluster-admin all over again.
func checkNotClusterAdmin(needs BundleNeeds, subject rbac.Subject) error {
	for _, scoped := range needs.All {
		if scoped.Namespace == "" && rbac.IsClusterAdmin(scoped.Rules) {
			return refuse("the bundle in %s grants everything to its operator, and whoever installs it has to hold that: "+
				"%s would be cluster-admin as before", needs.Bundle, subjectName(subject))
		}
	}
	return nil
}

// subjectIndexOf is the place of the subject through which a binding reaches the identity of an extension, -1 where it does
// not reach it by name.
func subjectIndexOf(c *Context, u *objects.Unit, e *variant, binding *objects.Object, s rbac.Subject) int {
	for _, b := range rbac.BindingsOf(u, e.objectIn(u), s) {
		if b.Object == binding && b.Via == "" && !b.Uncertain && b.Refused == "" && len(b.Tie) == 0 {
			return b.SubjectIndex
		}
	}
	return -1
}
