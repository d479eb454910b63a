package cluster

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Meetings finds the roles and bindings of other scopes that objects meet if one cluster gets both.
type Meetings struct {
	relations *Relations
	bindings  map[rbac.RoleRef][]boundIn
	bySubject map[rbac.Subject][]boundIn
	roles     map[rbac.RoleRef][]heldIn
	// aggregated are the ClusterRoles with selectors, and labeled are those with labels.
	aggregated, labeled []heldIn
}

// heldIn is an object of a scope.
type heldIn struct {
	scope  *objects.Unit
	object *objects.Object
}

// boundIn is a binding of a scope.
type boundIn struct {
	heldIn

	binding rbac.Binding
}

// folder is where the object is, as far as it decides on the cluster: the folder of a plain file, or the root of its unit.
func (h heldIn) folder() string { return folderOf(h.scope, h.object) }

func folderOf(scope *objects.Unit, o *objects.Object) string {
	if scope.Kind == objects.PlainUnit {
		return path.Dir(o.File)
	}
	return scope.Root
}

// Meetings returns what can meet in the scopes.
func (r *Relations) Meetings(scopes []*objects.Unit) *Meetings {
	m := &Meetings{relations: r, bindings: map[rbac.RoleRef][]boundIn{}, bySubject: map[rbac.Subject][]boundIn{}, roles: map[rbac.RoleRef][]heldIn{}}
	for _, scope := range scopes {
		for _, b := range rbac.Bindings(scope) {
			at := boundIn{heldIn{scope, b.Object}, b}
			m.bindings[b.Role] = append(m.bindings[b.Role], at)
			m.bySubject[b.Subject] = append(m.bySubject[b.Subject], at)
		}
		for _, o := range scope.Objects {
			ref, isRole := rbac.RefOf(o)
			if !isRole {
				continue
			}
			at := heldIn{scope, o}
			m.roles[ref] = append(m.roles[ref], at)
			if len(rbac.Selectors(o)) > 0 {
				m.aggregated = append(m.aggregated, at)
			}
			if len(rbac.Labels(o)) > 0 && ref.Kind == "ClusterRole" {
				m.labeled = append(m.labeled, at)
			}
		}
	}
	return m
}

// With returns the roles and bindings of other scopes that objects of a scope meet, if these scopes are not farther than a relation, each once:
// bindings to a role, or to what aggregates it, roles of a binding that its own scope does not have, and bindings of accounts. What the holders
// of such a binding have in its scope by other bindings is added, as it is no news.
func (m *Meetings) With(scope *objects.Unit, some []*objects.Object, accounts []objects.Account, farthest Relation) Met {
	w := &meeting{Meetings: m, scope: scope, farthest: farthest, seen: map[*objects.Object]bool{}}
	for _, o := range some {
		w.at = folderOf(scope, o)
		w.meet(scope, o)
	}
	for _, a := range accounts {
		for _, b := range m.bySubject[rbac.Account(a)] {
			w.addBinding(b)
		}
	}
	return w.found
}

// Met are objects, and the scopes that have them.
type Met struct {
	Objects []*objects.Object
	Scopes  []*objects.Unit
}

// meeting is what the objects of one scope meet.
type meeting struct {
	*Meetings

	scope    *objects.Unit
	at       string // the folder of the object
	farthest Relation
	seen     map[*objects.Object]bool
	found    Met
}

// reaches reports whether another scope can be on the cluster.
func (w *meeting) reaches(h heldIn) bool {
	if h.scope == w.scope {
		return false
	}
	relation := w.relations.Between(w.scope, h.scope, w.at, h.folder())
	return relation != Together && relation <= w.farthest
}

// meet adds what an object of the scope meets.
func (w *meeting) meet(scope *objects.Unit, o *objects.Object) {
	if ref, isRole := rbac.RefOf(o); isRole {
		w.meetRole(ref, o)
		return
	}
	for _, b := range rbac.BindingsBy(scope, o) {
		if b.RoleObject != nil || len(b.RoleTie) > 0 {
			w.addParts(b.RoleObject)
			continue
		}
		for _, role := range w.nearest(o, w.roles[b.Role]) {
			w.add(role)
			w.addParts(role.object)
		}
	}
}

// nearest returns those of some roles in other scopes that are nearest to a binding: of scopes that are no variants, if there are any, and with
// the deepest common folder.
func (w *meeting) nearest(binding *objects.Object, roles []heldIn) []heldIn {
	var found []heldIn
	best := nearness{relation: Apart}
	for _, role := range roles {
		if !w.reaches(role) {
			continue
		}
		n := nearness{w.relations.Between(w.scope, role.scope, w.at, role.folder()), commonDepth(binding.File, role.object.File)}
		switch order := n.compare(best); {
		case order < 0:
			best, found = n, []heldIn{role}
		case order == 0:
			found = append(found, role)
		}
	}
	return found
}

// nearness is how near two objects are: the least is the nearest.
type nearness struct {
	relation Relation
	depth    int
}

func (n nearness) compare(other nearness) int {
	return cmp.Or(cmp.Compare(n.relation, other.relation), cmp.Compare(other.depth, n.depth))
}

// commonDepth returns how many folders two files have in common.
func commonDepth(a, b string) int {
	partsA, partsB := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	n := 0
	for n < len(partsA) && n < len(partsB) && partsA[n] == partsB[n] {
		n++
	}
	return n
}

// meetRole adds the bindings to a role, and to the roles that take its rules.
func (w *meeting) meetRole(ref rbac.RoleRef, o *objects.Object) {
	for _, b := range w.bindings[ref] {
		// A variant of the unit has its own role, which is changed with this one, or on purpose is not.
		if hasRole := b.binding.RoleObject != nil || len(b.binding.RoleTie) > 0; !hasRole || w.farthest < Variants {
			w.addBinding(b)
		}
	}
	w.addParts(o)
	set := labels.Set(rbac.Labels(o))
	if len(set) == 0 {
		return
	}
	for _, taker := range w.aggregated {
		if w.seen[taker.object] || !slices.ContainsFunc(rbac.Selectors(taker.object), func(s labels.Selector) bool { return s.Matches(set) }) {
			continue
		}
		if taker.scope == w.scope || w.reaches(taker) {
			w.add(taker)
			takerRef, _ := rbac.RefOf(taker.object)
			w.meetRole(takerRef, taker.object)
		}
	}
}

// addParts adds the roles of other scopes from which a role takes its rules.
func (w *meeting) addParts(role *objects.Object) {
	if role == nil {
		return
	}
	for _, s := range rbac.Selectors(role) {
		for _, part := range w.labeled {
			if w.reaches(part) && s.Matches(labels.Set(rbac.Labels(part.object))) {
				w.add(part)
			}
		}
	}
}

// addBinding adds a binding, and what else its subject has in its scope.
func (w *meeting) addBinding(b boundIn) {
	if !w.reaches(b.heldIn) || w.seen[b.object] {
		return
	}
	w.add(b.heldIn)
	for _, other := range w.bySubject[b.binding.Subject] {
		if other.scope == b.scope {
			w.add(other.heldIn)
			w.addRole(other)
		}
	}
}

// addRole adds the role of a binding in its own scope, with what it takes rules from.
func (w *meeting) addRole(b boundIn) {
	for _, role := range slices.Concat(b.binding.RoleTie, []*objects.Object{b.binding.RoleObject}) {
		if role != nil && !w.seen[role] {
			w.add(heldIn{b.scope, role})
			w.addParts(role)
		}
	}
}

func (w *meeting) add(h heldIn) {
	if w.seen[h.object] {
		return
	}
	w.seen[h.object] = true
	w.found.Objects = append(w.found.Objects, h.object)
	if !slices.Contains(w.found.Scopes, h.scope) {
		w.found.Scopes = append(w.found.Scopes, h.scope)
	}
}
