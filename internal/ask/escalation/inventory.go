package escalation

import (
	"maps"
	"slices"

	"github.com/salint/salint/internal/kube/controlled"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// inventory is what a unit contains apart from permissions.
type inventory struct {
	accounts map[objects.Account]bool
	// tokens are the accounts of token Secrets by the namespace and name of the Secret.
	tokens map[objectName]objects.Account
	// pods are the accounts of pods, and runners one object whose pods run as an account.
	pods    map[objectName]objects.Account
	runners map[objects.Account]*objects.Object
	// clusterBindings and bindings are the roles of existing bindings.
	clusterBindings map[string]rbac.RoleRef
	bindings        map[objectName]rbac.RoleRef
	// named are the RoleBindings by name.
	named map[string][]objectName
	// clusterBound are the ClusterRoles of clusterBindings.
	clusterBound map[string]bool
}

type objectName struct{ namespace, name string }

func (n objectName) compare(other objectName) int {
	return slices.Compare([]string{n.namespace, n.name}, []string{other.namespace, other.name})
}

func readInventory(unit *objects.Unit) inventory {
	v := inventory{
		accounts: map[objects.Account]bool{}, tokens: map[objectName]objects.Account{}, pods: map[objectName]objects.Account{},
		runners: map[objects.Account]*objects.Object{}, clusterBindings: map[string]rbac.RoleRef{}, bindings: map[objectName]rbac.RoleRef{},
		named: map[string][]objectName{}, clusterBound: map[string]bool{clusterAdmin.Name: true},
	}
	for _, o := range unit.Objects {
		for _, ref := range objects.AccountReferences(o) {
			v.add(o, ref)
		}
		if account, ok := controlled.Token(o); ok {
			v.add(o, objects.Reference{Account: account, Object: o, What: objects.TokenSecret})
		}
	}
	for _, b := range rbac.Bindings(unit) {
		if !b.Certain() {
			continue
		}
		if b.Scope == "" {
			v.clusterBindings[b.Object.Name] = b.Role
			v.clusterBound[b.Role.Name] = true
		} else {
			v.bindings[objectName{b.Scope, b.Object.Name}] = b.Role
		}
	}
	for _, at := range sorted(v.bindings) {
		v.named[at.name] = append(v.named[at.name], at)
	}
	// Every cluster has it; its subject is system:masters.
	v.clusterBindings[clusterAdmin.Name] = clusterAdmin
	return v
}

func (v *inventory) add(o *objects.Object, ref objects.Reference) {
	a := ref.Account
	if a.Namespace == "" || rbac.Templated(a.Namespace) || rbac.Templated(a.Name) || a.Namespace == objects.ReleaseNamespace {
		return
	}
	switch ref.What {
	case objects.Definition:
		v.accounts[a] = true
	case objects.TokenSecret:
		v.tokens[objectName{o.Namespace, o.Name}] = a
	case objects.PodAccount, objects.PodDefault:
		v.accounts[a] = true
		if v.runners[a] == nil {
			v.runners[a] = o
		}
		if o.Kind == "Pod" && o.Group == "" {
			v.pods[objectName{o.Namespace, o.Name}] = a
		}
	}
}

// runner returns an object whose pods run as an identity; nil if none is known.
func (v inventory) runner(s rbac.Subject) *objects.Object {
	if s.Kind != rbac.KindServiceAccount {
		return nil
	}
	return v.runners[objects.Account{Namespace: s.Namespace, Name: s.Name}]
}

// sorted returns the keys of a map of objects in order.
func sorted[V any](m map[objectName]V) []objectName {
	return slices.SortedFunc(maps.Keys(m), objectName.compare)
}
