package escalation

import (
	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/controlled"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// readControlled adds what controllers grant for objects, and the members of groups. Where labels select the namespaces, it is unknown which
// these are.
func (w *World) readControlled() {
	for _, o := range w.unit.Objects {
		for _, m := range rbac.Members(o) {
			n := w.identity(rbac.Subject{Kind: rbac.KindUser, Name: m.User})
			n.listed = true
			w.link(n, w.identity(rbac.Subject{Kind: rbac.KindGroup, Name: o.Name}), nil)
		}
		for _, g := range controlled.Grants(o) {
			if g.Scope != rbac.AnyNamespace {
				w.grantControlled(o, g)
			}
		}
	}
}

// grantControlled gives a node what a controller grants. A role that the object contains has the name of the object.
func (w *World) grantControlled(o *objects.Object, g controlled.Grant) {
	n := w.identity(g.Subject)
	n.listed = true
	rules, role := g.Rules, g.Role
	if role.Name == "" {
		role = rbac.RoleRef{Kind: clusterAdmin.Kind, Name: o.Name}
	} else {
		rules, _, _ = rbac.RoleRulesOf(w.unit, role, o)
	}
	b := rbac.Binding{Object: o, Scope: g.Scope, Role: role, Subject: g.Subject}
	for _, rule := range rules {
		w.grantRule(n, g.Scope, rule, &access.Grant{Binding: b, Rule: rule, RulePosition: o.Position(nil), Versions: w.unit.KubernetesVersions()})
	}
}
