package verify

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// noteIdentity records what an identity gains and loses for the report.
func (e *examiner) noteIdentity(s rbac.Subject, d difference) {
	difference := e.shown(d)
	if difference.Empty() {
		return
	}
	e.permissions.Identities = append(e.permissions.Identities, permission.Identity{
		Subject: s, Difference: difference, Context: e.context(s),
	})
}

// shown returns a difference for the report. The proof compares roles that the unit does not contain by name.
func (e *examiner) shown(d difference) *permission.Difference {
	return permission.Differ(e.others.resolved(e.before, d.gained), e.others.resolved(e.before, d.lost))
}

// noteExtension records a change of an extension's identity or of that identity's permissions.
func (e *examiner) noteExtension(p objectKey, from, to rbac.Subject, d difference) {
	difference := e.shown(d)
	if difference.Empty() && normal(from) == normal(to) {
		return
	}
	e.permissions.Extensions = append(e.permissions.Extensions, permission.Extension{
		Name: p.id.Name, File: p.file, From: normal(from), To: normal(to), Difference: difference,
		Context: e.context(normal(to), normal(from), objectKey{file: p.file, id: p.id}),
	})
}

// context returns the place of the unit, and the fixes that declare something about a subject or an extension.
func (e *examiner) context(about ...any) permission.Context {
	var c permission.Context
	switch e.before.Kind {
	case objects.PlainUnit:
	case objects.KustomizationUnit:
		c.Kustomizations = []string{e.before.Name}
	default:
		c.Units = []string{strings.TrimPrefix(e.before.String(), "the ")}
	}
	for _, who := range about {
		for _, plan := range e.about[who] {
			c.Why = append(c.Why, plan.Description)
		}
	}
	slices.Sort(c.Why)
	c.Why = slices.Compact(c.Why)
	return c
}
