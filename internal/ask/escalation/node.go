package escalation

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// held is a permission of a node: for objects with a name ("" for all) in a namespace ("" for all, and for cluster-scoped ones).
type held struct {
	namespace, name string
	verb, resource  string
	grant           access.Grant
}

// node is an identity, or a place to which permissions of many identities lead.
type node struct {
	// subject is zero for a place.
	subject rbac.Subject
	// listed is true for what a question lists: identities that bindings of the repository name, and its accounts.
	listed bool
	// noPods is true for an account that no pod runs as.
	noPods bool
	// group is the narrowest group that includes the identity or group.
	group *node
	own   map[*permission][]held
	// permissions are those that are read in the rules, and read is the number of rules in which they were.
	permissions []*permission
	read        int
	// admin are the verbs that the identity has on everything in the cluster.
	admin map[string]*access.Grant
	roles []heldRole
	rules []ruleHeld
	// from are the edges that lead to the node.
	from []*edge
	// next is the first edge of the shortest chain to the goal, distance its length in steps.
	next     *edge
	distance int
}

// heldRole is a role that a binding grants to a node.
type heldRole struct {
	ref       rbac.RoleRef
	namespace string
	grant     access.Grant
}

// edge leads from a node to one that it can become. Without a step, the first is part of the second, or the other way round.
type edge struct {
	from, to *node
	step     *Step
}

func (n *node) isPlace() bool { return n.subject.Kind == "" }

// held returns how a node has a permission by its own bindings. It reads the rules when it is first called: of most identities that are allowed
// everything, nothing else matters.
func (n *node) held(p *permission) []held {
	n.readRules()
	return n.own[p]
}

func (n *node) readRules() {
	for ; n.read < len(n.rules); n.read++ {
		n.readRule(n.rules[n.read])
	}
}

func (n *node) readRule(of ruleHeld) {
	for _, p := range n.permissions {
		if !p.EffectiveIn(of.scope) || !p.MeantBy(of.rule) {
			continue
		}
		names, verb, resource := p.In(of.rule)
		for _, name := range names {
			n.own[p] = append(n.own[p], held{of.namespace, name, verb, resource, *of.grant})
		}
	}
}

// all lists how a node has a permission, by its own bindings and those of its groups.
func (n *node) all(p *permission) []held {
	var list []held
	for at := n; at != nil; at = at.group {
		list = append(list, at.held(p)...)
	}
	return list
}

// first returns how a node has a permission on all objects of the cluster.
func (n *node) first(p *permission) (held, bool) {
	for at := n; at != nil; at = at.group {
		for _, h := range at.held(p) {
			if h.namespace == "" && h.name == "" {
				return h, true
			}
		}
	}
	return held{}, false
}

// has reports whether a node's own bindings have one of the permissions. A step that needs several is the step of the narrowest
// group that has them all, so a node whose own bindings have none of them does not repeat it.
func (n *node) has(list ...*permission) bool {
	return slices.ContainsFunc(list, func(p *permission) bool { return len(n.held(p)) > 0 })
}

// normal returns the subject for an identity: an account can also be written as a user.
func normal(s rbac.Subject) rbac.Subject {
	if s.Kind == rbac.KindUser {
		if account, ok := objects.ParseUser(s.Name); ok {
			return rbac.Account(account)
		}
	}
	if s.Kind != rbac.KindServiceAccount {
		s.Namespace = ""
	}
	return s
}

const (
	authenticated   = "system:authenticated"
	unauthenticated = "system:unauthenticated"
	accountsGroup   = "system:serviceaccounts"
	masters         = "system:masters"
)

// groupOf returns the narrowest group that includes a subject; "" if there is none. Each group in turn is included in its own, so
// that together they are the implicit groups of the subject.
func groupOf(s rbac.Subject) string {
	if s.Kind != rbac.KindGroup {
		return narrowest(s.Groups())
	}
	switch {
	case s.Name == authenticated || s.Name == unauthenticated:
		return ""
	case strings.HasPrefix(s.Name, accountsGroup+":"):
		return accountsGroup
	}
	return authenticated
}

// narrowest returns the group of a list that the others include.
func narrowest(groups []string) string {
	return slices.MaxFunc(groups, func(a, b string) int { return cmp.Compare(specific(a), specific(b)) })
}

func specific(group string) int {
	switch {
	case group == authenticated || group == unauthenticated:
		return 0
	case group == accountsGroup:
		return 1
	}
	return 2
}
