package escalation

import "github.com/salint/salint/internal/kube/rbac"

// joinBindings adds the holder to the subjects of bindings that exist. Their role cannot be changed, and the API server requires
// bind for it.
func (w *World) joinBindings(n *node) {
	binds := n.all(bindClusterRoles)
	w.joinInCluster(n, n.all(changeClusterBinding), binds)
	changing := n.all(changeBinding)
	if len(changing) == 0 {
		return
	}
	w.joinInNamespaces(n, clusterAdmin.Kind, changing, binds)
	w.joinInNamespaces(n, "Role", changing, n.all(bindRoles))
}

const joinText = "adds itself to a binding of"

func (w *World) joinInCluster(n *node, changing, binds []held) {
	bindable := holdingsOf(binds)
	for _, change := range changing {
		ref, known := w.inventory.clusterBindings[change.name]
		if bind, ok := bindable.on("", ref.Name); known && ok && bind.namespace == "" {
			w.giveRole(n, ref, "", joinStep(change, bind))
		}
	}
	change, ok := n.first(changeClusterBinding)
	if !ok {
		return
	}
	for _, bind := range binds {
		if bind.namespace == "" && (bind.name == "" || w.inventory.clusterBound[bind.name]) {
			w.giveRole(n, boundRole(bind), "", joinStep(change, bind))
		}
	}
}

func joinStep(change, bind held) Step {
	step := bindStep(change, bind)
	step.Text = joinText
	return step
}

// joinInNamespaces joins RoleBindings of roles of a kind: those that a permission names, or all.
func (w *World) joinInNamespaces(n *node, kind string, changing, binds []held) {
	bindable := holdingsOf(binds)
	for _, change := range changing {
		for _, at := range w.inventory.named[change.name] {
			ref := w.inventory.bindings[at]
			if change.namespace != "" && change.namespace != at.namespace || ref.Kind != kind {
				continue
			}
			if bind, ok := bindable.on(at.namespace, ref.Name); ok {
				w.giveRole(n, ref, at.namespace, joinStep(change, bind))
			}
		}
	}
	unlimited := byNamespace(changing)
	for _, bind := range binds {
		for _, namespace := range common(bind.namespace, unlimited) {
			at := both(bind.namespace, namespace)
			step := joinStep(unlimited[namespace], bind)
			step.Text += " a " + kind + where(anyIfAll(at))
			w.link(n, w.place(boundWith(kind, bind.name), at), &step)
		}
	}
}

// boundWith are the roles of a kind that existing RoleBindings grant; only those with a name if one is given.
func boundWith(kind, role string) opened { return opened(kind + " of bindings " + role) }

// connectRoles links the places of Roles to the nodes of their holders, and derives the steps of these.
func (w *World) connectRoles() {
	for _, ref := range w.rolesOfUnit() {
		w.enterRole(namedRoles, ref, ref.Namespace)
		w.enterRole(rolesNamed(ref.Name), ref, ref.Namespace)
	}
	for _, name := range sorted(w.inventory.bindings) {
		ref := w.inventory.bindings[name]
		w.enterRole(boundWith(ref.Kind, ""), ref, name.namespace)
		w.enterRole(boundWith(ref.Kind, ref.Name), ref, name.namespace)
	}
}

func (w *World) rolesOfUnit() []rbac.RoleRef {
	var list []rbac.RoleRef
	for _, o := range w.unit.Objects {
		if o.Group == rbac.Group && o.Kind == "Role" && o.Namespace != "" {
			list = append(list, rbac.RoleRef{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name})
		}
	}
	return list
}

// enterRole links the places of a namespace, and of all, to the holder of a role.
func (w *World) enterRole(what opened, ref rbac.RoleRef, namespace string) {
	for _, of := range []string{namespace, ""} {
		at := w.places[place{what, of}]
		if at == nil {
			continue
		}
		if to := w.holderOf(ref, namespace); to != nil && !w.entered[entry{at, to}] {
			w.entered[entry{at, to}] = true
			w.link(at, to, nil)
		}
	}
}

// entry is a link from a place to what it includes.
type entry struct{ place, to *node }
