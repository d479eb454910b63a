package preflight

import (
	"errors"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
	"github.com/salint/salint/internal/kube/rendered"
)

// Resources of the RBAC group in rules.
const (
	roles        = "roles"
	clusterRoles = "clusterroles"
)

// everything is what an aggregated ClusterRole requires, because the rules that it will grant are unknown. Source:
// hasAggregationRule and fullAuthority of Kubernetes, pkg/registry/rbac/clusterrole/policybased/storage.go.
var everything = []rbacv1.PolicyRule{
	{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}},
	{Verbs: []string{"*"}, NonResourceURLs: []string{"*"}},
}

// granter computes the needs of the roles and bindings among the objects.
type granter struct {
	in Input
	// new and old are the roles of the two versions.
	new, old map[rbac.RoleRef]*role
}

// grantNeeds returns the needs of roles before those of bindings.
func grantNeeds(in Input, all []applied) ([]Need, error) {
	g := granter{in: in, new: map[rbac.RoleRef]*role{}, old: map[rbac.RoleRef]*role{}}
	var needs, bindings []Need
	var problems []error
	for _, a := range all {
		if a.resource.Group != rbac.Group || !isRole(a.object.Kind()) {
			continue
		}
		need, err := g.role(a)
		problems = append(problems, err)
		needs = append(needs, need...)
	}
	problems = append(problems, aggregate(g.new), aggregate(g.old))
	for _, a := range all {
		if a.resource.Group != rbac.Group || !isBinding(a.object.Kind()) {
			continue
		}
		need, err := g.binding(a)
		problems = append(problems, err)
		bindings = append(bindings, need...)
	}
	return dropRepeated(slices.Concat(needs, bindings)), errors.Join(problems...)
}

func isRole(kind string) bool    { return kind == "Role" || kind == "ClusterRole" }
func isBinding(kind string) bool { return kind == "RoleBinding" || kind == "ClusterRoleBinding" }

// role returns the need for creating a role, and stores the role for its bindings.
func (g *granter) role(a applied) ([]Need, error) {
	r, note, err := readRole(a.object)
	if err != nil {
		return nil, err
	}
	if note != "" && g.in.Note != nil {
		g.in.Note(note)
	}
	of := g.new
	if a.old {
		of = g.old
	}
	of[rbac.RoleRef{Kind: a.object.Kind(), Name: a.object.Name(), Namespace: a.namespace}] = r
	need := Need{
		Purpose: GrantRole, Namespace: a.namespace, Rules: r.rules, Objects: []*rendered.Object{a.object}, Old: a.old,
		Instead: &rbacv1.PolicyRule{Verbs: []string{"escalate"}, APIGroups: []string{rbac.Group}, Resources: []string{a.resource.Plural}},
	}
	if r.aggregates() {
		need.Rules = everything
	}
	if len(need.Rules) == 0 {
		return nil, nil
	}
	return []Need{need}, nil
}

// binding returns the need for creating a binding.
func (g *granter) binding(a applied) ([]Need, error) {
	ref, err := readRoleRef(a)
	if err != nil {
		return nil, err
	}
	resource := clusterRoles
	if ref.Kind == "Role" {
		resource = roles
	}
	need := Need{
		Purpose: BindRole, Namespace: a.namespace, Role: ref, Objects: []*rendered.Object{a.object}, Old: a.old,
		Instead: &rbacv1.PolicyRule{
			Verbs: []string{"bind"}, APIGroups: []string{rbac.Group}, Resources: []string{resource}, ResourceNames: []string{ref.Name},
		},
	}
	g.resolve(a, &need)
	if len(need.Rules) == 0 && !need.Unknown {
		return nil, nil
	}
	return []Need{need}, nil
}

// resolve finds the rules of a binding's role: the one that is applied with it, otherwise an existing one.
func (g *granter) resolve(a applied, need *Need) {
	first, second := g.new, g.old
	if a.old {
		first, second = g.old, g.new
	}
	if r := first[need.Role]; r != nil {
		need.Rules = r.granted
		return
	}
	rules, known, partial := rbac.RoleRulesOf(g.in.Unit, need.Role, g.in.From)
	if !known && second[need.Role] != nil {
		need.Rules = second[need.Role].granted
		return
	}
	need.Rules, need.Unknown, need.Partial = rules, !known, partial
	need.Grows, _ = rbac.GrowsIn(g.in.Unit, need.Role, g.in.From)
	if !known {
		need.Rules = nil
	}
}

// dropRepeated removes needs of the old version that the new one has as well.
func dropRepeated(needs []Need) []Need {
	type key struct {
		purpose               Purpose
		namespace, kind, name string
	}
	first := map[key]Need{}
	return slices.DeleteFunc(needs, func(n Need) bool {
		o := n.Objects[0]
		k := key{n.Purpose, n.Namespace, o.Kind(), o.Name()}
		known, there := first[k]
		if !there {
			first[k] = n
		}
		return there && known.Role == n.Role && slices.EqualFunc(known.Rules, n.Rules, policyrules.Same)
	})
}
