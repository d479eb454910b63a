package escalation

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// ruleHeld is a rule of a node in a namespace, "" for the cluster.
type ruleHeld struct {
	namespace string
	rule      rbacv1.PolicyRule
	grant     access.Grant
}

// constrainedSince is the version of Kubernetes from which constrained impersonation is on by default.
const constrainedSince kubeversion.Version = 36

// constrained acts as others for some requests. Both the holder, with verbs that begin with impersonate-on, and the other identity must be
// allowed to send them. What follows is derived from a node with the requests that both allow: it has the bindings of the other identity
// only where the API server asks whether the sender can grant a role.
//
// Source: k8s.io/apiserver/pkg/endpoints/filters/impersonation/mode.go.
func (w *World) constrained() {
	if last := w.unit.KubernetesVersions().To; last != 0 && last < constrainedSince {
		return
	}
	isAdmin := map[*node]bool{} // who is allowed everything gains nothing
	for _, e := range w.admin.from {
		isAdmin[e.from] = e.step != nil && e.step.Kind == Admin || isAdmin[e.from]
	}
	for _, n := range slices.Clone(w.nodes) {
		if isAdmin[n] {
			continue
		}
		if n.has(actForUsers) {
			w.actForUsers(n)
		}
		for _, h := range n.own[actForAccounts] {
			for _, to := range slices.Clone(w.nodes) {
				if to.subject.Kind == rbac.KindServiceAccount && (h.namespace == "" || h.namespace == to.subject.Namespace) && (h.name == "" || h.name == to.subject.Name) {
					w.actFor(n, to, danger.ServiceAccount, h.grant)
				}
			}
		}
	}
}

// actForUsers acts as users, and as members of groups other than system:masters.
func (w *World) actForUsers(n *node) {
	users, groups := n.all(actForUsers), n.all(actForGroups)
	reaching := func(list []held, name string) (held, bool) {
		i := slices.IndexFunc(list, func(h held) bool { return h.name == "" || h.name == name })
		if i < 0 {
			return held{}, false
		}
		return list[i], true
	}
	for _, to := range slices.Clone(w.nodes) {
		s := to.subject
		if user, ok := reaching(users, s.Name); ok && s.Kind == rbac.KindUser {
			w.actFor(n, to, danger.UserInfo, user.grant)
		}
		if group, ok := reaching(groups, s.Name); ok && s.Kind == rbac.KindGroup && s.Name != masters {
			w.actFor(n, to, danger.UserInfo, group.grant, users[0].grant)
		}
	}
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
				does = append(does, ruleHeld{both(on.namespace, is.namespace), common, on.grant})
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
	for _, p := range impersonating { // a request has one impersonated user
		delete(sends.own, p)
	}
	for _, p := range []*permission{bindClusterRoles, bindRoles, escalateClusterRoles, escalateRoles} {
		sends.own[p] = other.all(p)
	}
	for at := other; at != nil; at = at.group {
		sends.roles = append(sends.roles, at.roles...)
	}
	step := &Step{Kind: Impersonate, Text: "acts, for some requests, as " + access.SubjectName(other.subject), Grants: distinct(append(grants, does[0].grant))}
	if !w.unit.KubernetesVersions().All(constrainedSince) {
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
