package graph

import (
	"github.com/salint/salint/internal/output/picture"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// accounts are the accounts in the manifests of all units, because an account of another unit is not missing. The namespace
// is "" if a manifest does not set it.
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

// missing returns whether an account with a known name is in no manifest. Every namespace has its default account.
func (a accounts) missing(n picture.Node) bool {
	if n.Object != rbac.KindServiceAccount || n.Unknown || n.Name == "default" || n.Namespace == objects.ReleaseNamespace {
		return false
	}
	return !a[objects.Account{Namespace: n.Namespace, Name: n.Name}] && !a[objects.Account{Name: n.Name}]
}

// manifest sets the position of an account if its unit has exactly one manifest of it, and whether it is missing.
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

// isAdmin returns whether an identity is effectively cluster-admin. Bindings that the API server rejects do not count.
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
