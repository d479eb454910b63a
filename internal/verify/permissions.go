package verify

import (
	"slices"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/permission"
	"github.com/salint/salint/internal/rbac"
)

// noteIdentity keeps what an identity gains and loses for the report.
func (e *examiner) noteIdentity(s rbac.Subject, d difference) {
	scopes := permission.Scopes(d.gained, d.lost)
	if len(scopes) == 0 {
		return
	}
	e.permissions.Identities = append(e.permissions.Identities, permission.Identity{
		Subject: s, Scopes: scopes,
		Context: e.context(func(p *fixers.Plan) bool { return isAbout(p, s) }),
	})
}

// noteExtension keeps what becomes of an extension whose identity, or what that may do, is another than before.
func (e *examiner) noteExtension(p place, from, to rbac.Subject, d difference) {
	scopes := permission.Scopes(d.gained, d.lost)
	if len(scopes) == 0 && normal(from) == normal(to) {
		return
	}
	e.permissions.Extensions = append(e.permissions.Extensions, permission.Extension{
		Name: p.id.Name, File: p.file, From: normal(from), To: normal(to), Scopes: scopes,
		Context: e.context(func(plan *fixers.Plan) bool {
			return isAbout(plan, normal(to)) || isAbout(plan, normal(from)) ||
				slices.ContainsFunc(plan.Switches, func(s fixers.Switch) bool {
					return place{file: s.Extension.File, id: identityOf(s.Extension)} == place{file: p.file, id: p.id}
				})
		}),
	})
}

// context says where the unit is, and which fixes have a hand in a difference.
func (e *examiner) context(involved func(*fixers.Plan) bool) permission.Context {
	var c permission.Context
	if e.before.Kind == inventory.KustomizationUnit {
		c.Kustomizations = []string{e.before.Name}
	}
	for _, plan := range e.plans {
		if involved(plan) {
			c.Why = append(c.Why, plan.Description)
		}
	}
	slices.Sort(c.Why)
	c.Why = slices.Compact(c.Why)
	return c
}
