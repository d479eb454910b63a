package escalation

import (
	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/rbac"
)

// escalateInCluster adds permissions to a ClusterRole that the holder has in the cluster, or can bind.
func (w *World) escalateInCluster(n *node) {
	escalating := n.all(escalateClusterRoles)
	if len(escalating) == 0 {
		return
	}
	if grants, ok := w.extensible(n, holdingsOf(escalating), holdingsOf(n.all(changeClusterRoles))); ok {
		w.link(n, w.admin, &Step{Kind: Escalate, Text: "adds every permission to a ClusterRole that it has", Grants: distinct(grants)})
		return
	}
	escalate, ok := n.first(escalateClusterRoles)
	create, creates := n.first(createClusterRoles)
	binding, binds := n.first(createClusterBinding)
	if !ok || !creates || !binds {
		return
	}
	for _, bind := range n.all(bindClusterRoles) {
		if bind.namespace == "" && bind.name != "" && w.free(bind.name) {
			w.link(n, w.admin, &Step{Kind: Escalate, Text: "creates ClusterRole " + bind.name + " with every permission, and binds itself to it",
				Grants: distinct([]access.Grant{escalate.grant, create.grant, bind.grant, binding.grant})})
			return
		}
	}
}

// free reports whether the repository has no ClusterRole of a name, so that it can be created.
func (w *World) free(name string) bool {
	rules, known, _ := rbac.RoleRulesOf(w.unit, rbac.RoleRef{Kind: clusterAdmin.Kind, Name: name}, nil)
	return !known && len(rules) == 0
}

// extensible returns the grants with which a holder extends a ClusterRole that it has in the cluster, or gets with bind.
func (w *World) extensible(n *node, escalating, changing holdings) ([]access.Grant, bool) {
	grants := func(name string, role access.Grant) ([]access.Grant, bool) {
		escalate, ok := escalating.on("", name)
		change, changes := changing.on("", name)
		return []access.Grant{escalate.grant, change.grant, role}, ok && changes
	}
	for at := n; at != nil; at = at.group {
		for _, role := range at.roles {
			if role.namespace != "" {
				continue
			}
			if list, ok := grants(role.ref.Name, role.grant); ok {
				return list, true
			}
		}
	}
	binding, binds := n.first(createClusterBinding)
	for _, bind := range n.all(bindClusterRoles) {
		if list, ok := grants(bind.name, bind.grant); ok && binds && bind.namespace == "" && bind.name != "" {
			return append(list, binding.grant), true
		}
	}
	return nil, false
}

// escalateInNamespaces adds permissions to a Role that the holder has, or creates one and binds itself to it. It then has every
// permission in the namespace.
func (w *World) escalateInNamespaces(n *node) {
	escalating := n.all(escalateRoles)
	if len(escalating) == 0 {
		return
	}
	extending, changing := holdingsOf(escalating), holdingsOf(n.all(changeRoles))
	for at := n; at != nil && len(changing) > 0; at = at.group {
		for _, role := range at.roles {
			w.extendRole(n, role, extending, changing)
		}
	}
	creating, binding, bindable := byNamespace(n.all(createRoles)), byNamespace(n.all(createBinding)), byNamespace(n.all(bindRoles))
	for _, escalate := range escalating {
		if escalate.name != "" {
			continue
		}
		for _, a := range common(escalate.namespace, creating) {
			for _, b := range common(both(escalate.namespace, a), binding) {
				for _, c := range common(both(both(escalate.namespace, a), b), bindable) {
					namespace := both(both(both(escalate.namespace, a), b), c)
					w.giveRole(n, clusterAdmin, anyIfAll(namespace), Step{Kind: Escalate, Text: "creates a Role with the permissions of",
						Grants: distinct([]access.Grant{escalate.grant, creating[a].grant, bindable[c].grant, binding[b].grant})})
				}
			}
		}
	}
}

func (w *World) extendRole(n *node, role heldRole, escalating, changing holdings) {
	if role.ref.Kind != "Role" {
		return
	}
	escalate, ok := escalating.on(role.namespace, role.ref.Name)
	change, changes := changing.on(role.namespace, role.ref.Name)
	if ok && changes {
		w.giveRole(n, clusterAdmin, role.namespace, Step{Kind: Escalate, Text: "adds to " + access.RoleName(role.ref) + " the permissions of",
			Grants: distinct([]access.Grant{escalate.grant, change.grant, role.grant})})
	}
}
