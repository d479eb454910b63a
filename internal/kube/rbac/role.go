package rbac

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
)

// roleFinder finds the roles that bindings refer to. Those of one name are looked up once, however many refer to it.
type roleFinder struct {
	unit  *objects.Unit
	known memo[RoleRef, candidates]
}

// candidates are the objects that a reference may mean.
type candidates struct {
	all        []*objects.Object
	neighbours *objects.Neighbours
}

// find returns the role that a reference means, as seen from an object such as a binding: in a plain unit, of several of
// that name, the nearest. Where several are equally near, or nobody looks (nil), it gives these instead.
func (f *roleFinder) find(near *objects.Object, role RoleRef) (found *objects.Object, tie []*objects.Object) {
	c := f.known.get(role, func() candidates {
		all := f.unit.Find(roleQuery(role))
		return candidates{all, objects.NewNeighbours(all)}
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
	// unknown are the role, or the roles it is put together from, whose rules cannot be told.
	unknown []RoleRef
	// partial is true when roles outside the repository may add to the rules.
	partial bool
	// givers are the roles that the rules of an aggregated one are taken from, one for each rule; nil for other roles.
	givers []Giver
}

// Giver is a ClusterRole that an aggregated one has rules from. Its object is nil when every cluster has it and the
// repository does not.
type Giver struct {
	Role   RoleRef
	Object *objects.Object
}

// giver is the role that a rule was taken from: nobody where it is the role's own.
func (r roleRules) giver(i int) Giver {
	if r.givers == nil {
		return Giver{}
	}
	return r.givers[i]
}

// GiversOf lists the roles that the aggregated role which a reference means is put together from, in the order of their
// rules; none for a role that is not aggregated. The arguments are those of RoleRulesOf.
func GiversOf(u *objects.Unit, ref RoleRef, near *objects.Object) []Giver {
	x := indexOf(u)
	object, tie := x.roles.find(near, ref)
	var givers []Giver
	seen := map[Giver]bool{}
	for _, g := range x.resolve(ref, object, len(tie) > 0, near).givers {
		if !seen[g] && g.Role != ref {
			seen[g] = true
			givers = append(givers, g)
		}
	}
	return givers
}

// RoleRulesOf returns the rules of the role that a reference means, as seen from an object such as a binding (nil: where the
// unit holds several of the name, none is meant). It looks among the roles of the unit and those that every cluster has,
// and puts aggregated ones together. Known is false when there are, or may be, rules that are not told: the role is not
// there, could be one of several, cannot be read, would be refused, or that is so of one it is put together from. Partial
// is true when roles outside the repository may add to it. The rules are shared and must not be changed.
func RoleRulesOf(u *objects.Unit, ref RoleRef, near *objects.Object) (rules []rbacv1.PolicyRule, known, partial bool) {
	x := indexOf(u)
	object, tie := x.roles.find(near, ref)
	role := x.resolve(ref, object, len(tie) > 0, near)
	return role.rules, len(role.unknown) == 0, role.partial
}

// rulesOf returns the rules a binding grants.
func (x *index) rulesOf(b Binding) roleRules {
	return x.resolve(b.Role, b.RoleObject, len(b.RoleTie) > 0, b.Object)
}

// resolve returns the rules of a role, whose manifest is nil when the repository has none or several.
func (x *index) resolve(ref RoleRef, object *objects.Object, tied bool, near *objects.Object) roleRules {
	role := clusterRole{ref: ref, object: object, builtin: builtinFor(ref, object)}
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
	if tied && ref.Name != clusterAdmin {
		result.unknown = append(slices.Clip(result.unknown), ref)
	}
	return result
}

// Granted is what a role amounts to.
type Granted struct {
	Rules []rbacv1.PolicyRule
	// Unknown and Partial are as in Effective.
	Unknown, Partial []RoleRef
}

// GrantedBy returns what the role that a binding grants amounts to, as RoleRulesOf does, or the role itself when the object is
// one. It is false for other objects, and for a binding that the API server refuses for its roleRef.
func GrantedBy(u *objects.Unit, object *objects.Object) (Granted, bool) {
	scope, isBinding := scopeOf(object)
	if !isBinding {
		return grantedByRole(u, object)
	}
	ref, ok := readRoleRef(object.Node.Get("roleRef"), object.Kind, scope)
	if !ok {
		return Granted{}, false
	}
	x := indexOf(u)
	role, tie := x.roles.find(object, ref)
	return x.resolve(ref, role, len(tie) > 0, object).granted(ref), true
}

func grantedByRole(u *objects.Unit, role *objects.Object) (Granted, bool) {
	if role.Group != Group || role.Kind != kindRole && role.Kind != kindClusterRole {
		return Granted{}, false
	}
	ref := RoleRef{Kind: role.Kind, Name: role.Name}
	if role.Kind == kindRole {
		ref.Namespace = role.Namespace
	}
	return indexOf(u).resolve(ref, role, false, role).granted(ref), true
}

func (r roleRules) granted(ref RoleRef) Granted {
	g := Granted{Rules: r.rules, Unknown: r.unknown}
	if r.partial {
		g.Partial = []RoleRef{ref}
	}
	return g
}
