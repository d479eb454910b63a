package escalation

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// ruleHeld is a rule of a node in a namespace, "" for the cluster.
type ruleHeld struct {
	namespace string
	// scope is that of the binding: [rbac.AnyNamespace] is "" as a namespace.
	scope string
	rule  rbacv1.PolicyRule
	grant *access.Grant
}

// constrained acts as others for some requests. Both the holder, with verbs that begin with impersonate-on, and the other identity must be
// allowed to send them. What follows is derived from a node with the requests that both allow: it has the bindings of the other identity
// only where the API server asks whether the sender can grant a role.
//
// Source: k8s.io/apiserver/pkg/endpoints/filters/impersonation/mode.go.
func (w *World) constrained() {
	if w.unit.KubernetesVersions().Before(danger.ConstrainedSince) {
		return
	}
	isAdmin := map[*node]bool{} // who is allowed everything gains nothing
	for _, e := range w.admin.from {
		isAdmin[e.from] = e.step != nil && e.step.Kind == Admin || isAdmin[e.from]
	}
	for _, n := range slices.Clone(w.nodes) {
		if isAdmin[n] || !n.constrains() {
			continue
		}
		for _, to := range slices.Clone(w.nodes) {
			w.actForOne(n, to)
		}
	}
}

// constrains reports whether a node's own bindings have a part of constrained impersonation. Its groups can have the other part.
func (n *node) constrains() bool {
	return n.has(actForUsers, actForGroups, actForAccounts, actForNodes) || slices.ContainsFunc(n.rules, func(h ruleHeld) bool {
		_, ok := danger.ForOthers(h.rule, "")
		return ok && !slices.Contains(h.rule.Verbs, rbacv1.VerbAll)
	})
}

// nodesGroup is the group of all nodes, and nodeUser the prefix of their user names.
const (
	nodesGroup = "system:nodes"
	nodeUser   = "system:node:"
)

// actForOne acts as one user, account, or node, and as a member of a group other than system:masters. A name of a star is that of every group,
// for requests with at least four. A node is a member of its group in the mode for nodes only.
func (w *World) actForOne(n, to *node) {
	isNode := strings.HasPrefix(to.subject.Name, nodeUser)
	switch s := to.subject; {
	case s.Kind == rbac.KindServiceAccount:
		if h, ok := heldFor(n.all(actForAccounts), s); ok {
			w.actFor(n, to, danger.ServiceAccount, h.grant)
		}
	case s.Kind == rbac.KindUser && isNode:
		if h, ok := heldFor(n.all(actForNodes), rbac.Subject{Name: strings.TrimPrefix(s.Name, nodeUser)}); ok {
			w.actFor(n, to, danger.ArbitraryNode, h.grant)
		}
	case s.Kind == rbac.KindUser:
		if h, ok := heldFor(n.all(actForUsers), s); ok {
			w.actFor(n, to, danger.UserInfo, h.grant)
		}
	case s.Kind == rbac.KindGroup && s.Name != masters:
		w.actForGroup(n, to)
	}
}

func (w *World) actForGroup(n, to *node) {
	users := n.all(actForUsers)
	if group, ok := heldFor(n.all(actForGroups), to.subject, everyName); ok && len(users) > 0 {
		w.actFor(n, to, danger.UserInfo, group.grant, users[0].grant)
	}
	if to.subject.Name != nodesGroup {
		return
	}
	if all := n.all(actForNodes); len(all) > 0 {
		w.actFor(n, to, danger.ArbitraryNode, all[0].grant)
	}
}

// everyName is what the API server asks for instead of the names of several groups.
const everyName = "*"

// heldFor returns a permission for a subject: without a name, for its name, or for one of others.
func heldFor(list []held, s rbac.Subject, others ...string) (held, bool) {
	i := slices.IndexFunc(list, func(h held) bool {
		return (h.namespace == "" || h.namespace == s.Namespace) && (h.name == "" || h.name == s.Name || slices.Contains(others, h.name))
	})
	if i < 0 {
		return held{}, false
	}
	return list[i], true
}

// actFor links a node to one with the requests that it can send as another.
func (w *World) actFor(n, other *node, mode string, grants ...access.Grant) {
	if n == other {
		return
	}
	var does []ruleHeld
	for _, on := range n.allRules() {
		rule, ok := danger.ForOthers(on.rule, mode)
		if !ok {
			continue
		}
		for _, is := range other.allRules() {
			if on.namespace != "" && is.namespace != "" && on.namespace != is.namespace {
				continue
			}
			if common, ok := policyrules.Common(rule, is.rule); ok && w.matters(common) {
				does = append(does, ruleHeld{namespace: both(on.namespace, is.namespace), rule: common, grant: on.grant})
			}
		}
	}
	if len(does) == 0 {
		return
	}
	sends := w.add(&node{})
	for _, d := range does {
		w.grantRule(sends, d.namespace, d.rule, d.grant)
	}
	sends.readRules()
	for _, p := range impersonating { // a request has one impersonated user
		delete(sends.own, p)
	}
	for _, p := range []*permission{bindClusterRoles, bindRoles, escalateClusterRoles, escalateRoles} {
		sends.own[p] = other.all(p)
	}
	for at := other; at != nil; at = at.group {
		sends.roles = append(sends.roles, at.roles...)
	}
	step := &Step{Kind: Impersonate, Text: "acts, for some requests, as " + access.SubjectName(other.subject), Grants: distinct(append(grants, *does[0].grant))}
	if !w.unit.KubernetesVersions().All(danger.ConstrainedSince) {
		step.Known = "assumes Kubernetes 1.36 or later, which has constrained impersonation"
	}
	w.link(n, sends, step)
}

// allRules lists the rules of a node and of its groups.
func (n *node) allRules() []ruleHeld {
	var all []ruleHeld
	for at := n; at != nil; at = at.group {
		all = append(all, at.rules...)
	}
	return all
}
