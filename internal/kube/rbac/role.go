package rbac

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
)

// roleFinder resolves the roles that bindings refer to. Each name is looked up once, however many bindings refer to it.
type roleFinder struct {
	unit  *objects.Unit
	known memo[RoleRef, candidates]
}

// candidates are the objects to which a reference can resolve.
type candidates struct {
	all        []*objects.Object
	neighbours *objects.FolderIndex
}

// find returns the role to which a reference resolves, as seen from an object such as a binding: in a plain unit, the
// nearest of that name. If several are equally near, or near is nil and there are several, it returns these as the tie
// instead.
func (f *roleFinder) find(near *objects.Object, role RoleRef) (found *objects.Object, tie []*objects.Object) {
	c := f.known.get(role, func() candidates {
		all := f.unit.Find(roleQuery(role))
		return candidates{all, objects.NewFolderIndex(all)}
	})
	nearest := c.all
	if f.unit.Kind == objects.PlainUnit && near != nil {
		nearest = c.neighbours.Nearest(near)
	}
	switch len(nearest) {
	case 0:
		return nil, nil
	case 1:
		return nearest[0], nil
	}
	return nil, nearest
}

func roleQuery(role RoleRef) objects.Query {
	namespace := role.Namespace
	if namespace == UnknownNamespace {
		namespace = ""
	}
	return objects.Query{Group: new(Group), Kind: role.Kind, Namespace: namespace, Name: role.Name}
}

// roleRules are the rules of a role as far as they are known.
type roleRules struct {
	rules []rbacv1.PolicyRule
	// unknown are the role, or the roles it is aggregated from, whose rules are unknown.
	unknown []RoleRef
	// partial is true if roles outside the repository can add rules.
	partial bool
	// givers are the sources of the rules of an aggregated role, one for each rule; nil for other roles.
	givers []RuleSource
}

// RuleSource is a ClusterRole from which an aggregated role takes rules. Its object is nil for a default role of every cluster
// that is not in the repository.
type RuleSource struct {
	Role   RoleRef
	Object *objects.Object
}

// giver returns the source of a rule; the zero value if the rule is the role's own.
func (r roleRules) giver(i int) RuleSource {
	if r.givers == nil {
		return RuleSource{}
	}
	return r.givers[i]
}

// RuleSourcesOf lists the roles from which the aggregated role of a reference takes its rules, in the order of the rules; none
// for a role that is not aggregated. The arguments are those of RoleRulesOf.
func RuleSourcesOf(u *objects.Unit, ref RoleRef, near *objects.Object) []RuleSource {
	x := indexOf(u)
	object, tie := x.roles.find(near, ref)
	var givers []RuleSource
	seen := map[RuleSource]bool{}
	for _, g := range x.resolve(ref, object, tie, near).givers {
		if !seen[g] && g.Role != ref {
			seen[g] = true
			givers = append(givers, g)
		}
	}
	return givers
}

// RoleRulesOf returns the rules of the role to which a reference resolves, as seen from an object such as a binding (nil:
// if the unit contains several roles of the name, none is chosen). It resolves roles of the unit and default roles, and
// aggregates them. Known is false if there are, or can be, rules that are not returned: the role does not exist, could be
// one of several, cannot be read, would be refused, or one of these applies to a role it is aggregated from. Partial is
// true if roles outside the repository can add rules. The rules are shared and must not be changed.
func RoleRulesOf(u *objects.Unit, ref RoleRef, near *objects.Object) (rules []rbacv1.PolicyRule, known, partial bool) {
	x := indexOf(u)
	object, tie := x.roles.find(near, ref)
	role := x.resolve(ref, object, tie, near)
	return role.rules, len(role.unknown) == 0, role.partial
}

// Defines reports whether a reference resolves to a role of the unit, to one of several, or to a default role, whatever is known of its rules.
func Defines(u *objects.Unit, ref RoleRef, near *objects.Object) bool {
	x := indexOf(u)
	object, tie := x.roles.find(near, ref)
	return object != nil || len(tie) > 0 || x.builtinFor(ref, nil) != nil
}

// rulesOf returns the rules a binding grants.
func (x *index) rulesOf(b Binding) roleRules {
	return x.resolve(b.Role, b.RoleObject, b.RoleTie, b.Object)
}

// resolve returns the rules of a role, whose manifest is nil if the repository has none or several, which are the tie. Of several in one cluster,
// any can be the last that is applied: the role has the rules of all of them.
func (x *index) resolve(ref RoleRef, object *objects.Object, tie []*objects.Object, near *objects.Object) roleRules {
	if x.unit.Kind == objects.ClusterUnit && len(tie) > 0 {
		return x.union(ref, tie, near)
	}
	role := clusterRole{ref: ref, object: object, builtin: x.builtinFor(ref, object)}
	if object == nil && role.builtin == nil {
		return roleRules{unknown: []RoleRef{ref}}
	}
	written, err := role.read(x)
	if err != nil {
		return roleRules{rules: role.builtinRules(), unknown: []RoleRef{ref}}
	}
	result := roleRules{rules: written.rules}
	if written.aggregated() {
		result = x.aggregated(role, near)
	}
	if len(tie) > 0 && ref.Name != clusterAdmin {
		result.unknown = append(slices.Clip(result.unknown), ref)
	}
	return result
}

// union returns the rules of all roles of one name.
func (x *index) union(ref RoleRef, roles []*objects.Object, near *objects.Object) roleRules {
	var all roleRules
	for _, role := range roles {
		one := x.resolve(ref, role, nil, near)
		for i, rule := range one.rules {
			from := one.giver(i)
			if from.Role.Name == "" {
				from = RuleSource{ref, role}
			}
			all.rules, all.givers = append(all.rules, rule), append(all.givers, from)
		}
		all.unknown = append(all.unknown, one.unknown...)
		all.partial = all.partial || one.partial
	}
	return all
}

// Granted holds the rules of a role.
type Granted struct {
	Rules []rbacv1.PolicyRule
	// Unknown and Partial are as in Effective.
	Unknown, Partial []RoleRef
}

// GrantedBy returns the rules of the role that a binding grants, as RoleRulesOf does, or of the role itself if the object
// is one. ok is false for other objects, and for a binding that the API server refuses because of its roleRef.
func GrantedBy(u *objects.Unit, object *objects.Object) (Granted, bool) {
	scope, isBinding := scopeOf(u, object)
	if !isBinding {
		return grantedByRole(u, object)
	}
	ref, ok := readRoleRef(object.Node.Get("roleRef"), object.Kind, scope)
	if !ok {
		return Granted{}, false
	}
	x := indexOf(u)
	role, tie := x.roles.find(object, ref)
	return x.resolve(ref, role, tie, object).granted(ref), true
}

func grantedByRole(u *objects.Unit, role *objects.Object) (Granted, bool) {
	if role.Group != Group || role.Kind != kindRole && role.Kind != kindClusterRole {
		return Granted{}, false
	}
	ref := RoleRef{Kind: role.Kind, Name: role.Name}
	if role.Kind == kindRole {
		ref.Namespace = role.Namespace
	}
	return indexOf(u).resolve(ref, role, nil, role).granted(ref), true
}

func (r roleRules) granted(ref RoleRef) Granted {
	g := Granted{Rules: r.rules, Unknown: r.unknown}
	if r.partial {
		g.Partial = []RoleRef{ref}
	}
	return g
}
