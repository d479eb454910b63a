package graph

import (
	"github.com/salint/salint/internal/output/picture"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// accounts are those that the manifests of a world make, whichever unit they are in: an account of another unit is none that
// is missing. The namespace is "" where a manifest does not say it.
type accounts map[objects.Account]bool

func accountsOf(w *loader.Repository) accounts {
	all := accounts{}
	for _, unit := range w.Units {
		for _, o := range unit.Find(objects.Query{Kind: rbac.KindServiceAccount}) {
			namespace := o.Namespace
			if namespace == objects.ReleaseNamespace || rbac.Templated(namespace) {
				namespace = ""
			}
			all[objects.Account{Namespace: namespace, Name: o.Name}] = true
		}
	}
	return all
}

// missing tells of an account that is known by its name and that no manifest makes. Every namespace has its default account.
func (a accounts) missing(n picture.Node) bool {
	if n.Object != rbac.KindServiceAccount || n.Unknown || n.Name == "default" || n.Namespace == objects.ReleaseNamespace {
		return false
	}
	return !a[objects.Account{Namespace: n.Namespace, Name: n.Name}] && !a[objects.Account{Name: n.Name}]
}

// manifest says where an account is made: in its unit, if there is exactly one manifest of it, or nowhere at all.
func (b *builder) manifest(n *picture.Node) {
	if n.Object != rbac.KindServiceAccount || n.Unknown {
		return
	}
	found := b.unit.Find(objects.Query{Kind: rbac.KindServiceAccount, Namespace: n.Namespace, Name: n.Name})
	if len(found) == 1 {
		n.Position = found[0].Position(nil)
	}
	n.Missing = b.accounts.missing(*n)
}

// isAdmin tells whether an identity is a cluster-admin in effect. What the API server refuses does not make it one.
func (b *builder) isAdmin(from *objects.Object, who rbac.Identity) bool {
	effective := rbac.EffectiveFor(b.unit, from, who)
	if !rbac.IsClusterAdmin(effective.Cluster) {
		return false
	}
	refused := func(binding rbac.Binding) bool { return binding.Refused != "" }
	if !slices.ContainsFunc(effective.Uncertain, refused) {
		return true
	}
	var rules []rbacv1.PolicyRule
	for _, binding := range rbac.BindingsFor(b.unit, from, who) {
		if binding.Scope == "" && !refused(binding) {
			granted, _, _ := rbac.RoleRulesOf(b.unit, binding.Role, binding.Object)
			rules = append(rules, granted...)
		}
	}
	return rbac.IsClusterAdmin(rules)
}
