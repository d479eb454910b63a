package escalation

import (
	"maps"
	"slices"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// clusterAdmin is the role with all permissions that every cluster has.
var clusterAdmin = rbac.RoleRef{Kind: "ClusterRole", Name: "cluster-admin"}

// roleKey identifies the node of a holder who has a role in a namespace, "" for the cluster, rbac.AnyNamespace for any.
type roleKey struct {
	ref       rbac.RoleRef
	namespace string
}

// holderOf returns the node of a holder who gives itself a role; nil if nothing is known about the role.
func (w *World) holderOf(ref rbac.RoleRef, namespace string) *node {
	if namespace == "" && w.isAdmin(ref) {
		return w.admin
	}
	key := roleKey{ref, namespace}
	if n, known := w.roles[key]; known {
		return n
	}
	rules, complete, partial := rbac.RoleRulesOf(w.unit, ref, nil)
	if !complete || partial {
		w.doubtRole(ref, complete)
	}
	if len(rules) == 0 {
		w.roles[key] = nil
		return nil
	}
	n := w.add(&node{})
	w.roles[key] = n
	b := rbac.Binding{Role: ref, Scope: namespace, RoleObject: w.roleObject(ref)}
	for _, rule := range rules {
		grant := access.NewGrant(w.unit, b, rule, rbac.RuleSource{})
		w.grantRule(n, namespace, rule, &grant)
	}
	return n
}

// doubtRole notes that the rules of a role which a step gives are not known, or not all.
func (w *World) doubtRole(ref rbac.RoleRef, known bool) {
	d := access.Doubt{Message: "the rules of " + access.RoleName(ref) + ", which a step gives, are not known"}
	if known {
		d = access.Doubt{Message: "roles outside the repository can add to " + access.RoleName(ref), Added: true, Role: ref}
	}
	w.doubts = append(w.doubts, d)
}

func (w *World) isAdmin(ref rbac.RoleRef) bool {
	if ref.Kind != clusterAdmin.Kind {
		return false
	}
	rules, _, _ := rbac.RoleRulesOf(w.unit, ref, nil)
	return policyrules.CoversRule(rules, rbac.Everything())
}

// roleObject returns the manifest of a role; nil if there is none or several.
func (w *World) roleObject(ref rbac.RoleRef) *objects.Object {
	found := w.unit.Find(objects.Query{Group: new(rbac.Group), Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name})
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// roleSteps give a holder roles that it does not have, or add permissions to those that it has. The API server requires bind,
// escalate, or the permissions themselves for both, so writing roles and bindings alone is no step.
//
// Sources: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#escalate-verb and #bind-verb,
// https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping.
func (w *World) roleSteps(n *node) {
	if n.has(bindClusterRoles, bindRoles, createClusterBinding, createBinding, changeClusterBinding, changeBinding) {
		w.bindInCluster(n)
		w.bindInNamespaces(n)
		w.joinBindings(n)
	}
	// The role can be one that a wider group has, so the own roles count as well.
	if n.has(escalateClusterRoles, changeClusterRoles, createClusterRoles, bindClusterRoles, createClusterBinding) || len(n.roles) > 0 {
		w.escalateInCluster(n)
	}
	if n.has(escalateRoles, changeRoles, createRoles, bindRoles, createBinding) || len(n.roles) > 0 {
		w.escalateInNamespaces(n)
	}
}

func (w *World) giveRole(n *node, ref rbac.RoleRef, namespace string, step Step) {
	to := w.holderOf(ref, namespace)
	if to == nil {
		return
	}
	step.Text += " " + access.RoleName(ref) + where(namespace)
	w.link(n, to, &step)
}

func where(namespace string) string {
	switch namespace {
	case "":
		return " in the cluster"
	case rbac.AnyNamespace:
		return " in any namespace"
	}
	return " in namespace " + namespace
}

func (w *World) bindInCluster(n *node) {
	create, ok := n.first(createClusterBinding)
	if !ok {
		return
	}
	for _, bind := range n.all(bindClusterRoles) {
		if bind.namespace == "" {
			w.giveRole(n, boundRole(bind), "", bindStep(create, bind))
		}
	}
}

// boundRole returns the ClusterRole that a permission for bind gives: cluster-admin if it is not limited by names.
func boundRole(bind held) rbac.RoleRef {
	if bind.name == "" {
		return clusterAdmin
	}
	return rbac.RoleRef{Kind: clusterAdmin.Kind, Name: bind.name}
}

func bindStep(write, bind held) Step {
	return Step{Kind: Bind, Text: "binds itself to", Grants: distinct([]access.Grant{bind.grant, write.grant})}
}

// bindInNamespaces creates RoleBindings. The API server asks for bind in the namespace of the binding.
func (w *World) bindInNamespaces(n *node) {
	creating := byNamespace(n.all(createBinding))
	if len(creating) == 0 {
		return
	}
	for _, bind := range n.all(bindClusterRoles) {
		for _, namespace := range common(bind.namespace, creating) {
			w.giveRole(n, boundRole(bind), anyIfAll(both(bind.namespace, namespace)), bindStep(creating[namespace], bind))
		}
	}
	for _, bind := range n.all(bindRoles) {
		for _, namespace := range common(bind.namespace, creating) {
			w.bindRole(n, bind, both(bind.namespace, namespace), bindStep(creating[namespace], bind))
		}
	}
}

// bindRole gives a Role of a namespace, or with "" of all, which a permission names or not.
func (w *World) bindRole(n *node, bind held, namespace string, step Step) {
	switch {
	case bind.name == "":
		step.Text += " a Role" + where(anyIfAll(namespace))
		w.link(n, w.place(namedRoles, namespace), &step)
	case namespace == "":
		step.Text += " a Role " + bind.name
		w.link(n, w.place(rolesNamed(bind.name), ""), &step)
	default:
		w.giveRole(n, rbac.RoleRef{Kind: "Role", Namespace: namespace, Name: bind.name}, namespace, step)
	}
}

// rolesNamed are the Roles of one name in all namespaces.
func rolesNamed(name string) opened { return opened("roles named " + name) }

func anyIfAll(namespace string) string {
	if namespace == "" {
		return rbac.AnyNamespace
	}
	return namespace
}

// byNamespace returns the first permission without a name for each namespace.
func byNamespace(list []held) map[string]held {
	first := map[string]held{}
	for _, h := range list {
		if _, known := first[h.namespace]; !known && h.name == "" {
			first[h.namespace] = h
		}
	}
	return first
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
