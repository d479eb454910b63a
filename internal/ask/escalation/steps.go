package escalation

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// steps derives the steps of all nodes. Steps can add nodes, such as the account that a permission names, and the holder of a
// role.
func (w *World) steps() {
	for len(w.pending) > 0 {
		w.pendingSteps()
		w.connectRoles()
	}
}

func (w *World) pendingSteps() {
	for len(w.pending) > 0 {
		n := w.pending[0]
		w.pending = w.pending[1:]
		if w.everything(n) && w.goal == w.admin {
			continue // every other chain of it is longer
		}
		w.roleSteps(n)
		w.impersonation(n)
		w.tokenSteps(n)
		w.podSteps(n)
		w.clusterSteps(n)
		w.grafanaSteps(n)
	}
}

// everything is the step of a node that is effectively cluster-admin, by one binding or several: see [rbac.Everything]. It reports whether the node is.
func (w *World) everything(n *node) bool {
	if n.subject.Kind == rbac.KindGroup && n.subject.Name == masters {
		w.link(n, w.admin, &Step{Kind: Admin, Text: "is allowed everything", Known: "the API server allows the group everything, regardless of bindings"})
		return true
	}
	if n.isPlace() {
		return false
	}
	var grants []access.Grant
	var last *access.Grant
	for _, verb := range rbac.Everything().Verbs {
		var grant *access.Grant
		for at := n; at != nil && grant == nil; at = at.group {
			grant = at.admin[verb]
		}
		if grant == nil {
			return false
		}
		if grant != last { // most often, one rule has all verbs
			grants = append(grants, *grant)
		}
		last = grant
	}
	grants = distinct(grants)
	text := "is allowed everything"
	if !slices.ContainsFunc(grants, allowsEveryVerb) {
		text = "is allowed to " + words.And(rbac.Everything().Verbs) + " all resources"
	}
	w.link(n, w.admin, &Step{Kind: Admin, Text: text, Grants: grants})
	return true
}

// allowsEveryVerb reports whether a grant of everything is for all verbs, those of which Kubernetes knows nothing included. One without a rule
// is of a role that the repository does not define, cluster-admin.
func allowsEveryVerb(g access.Grant) bool {
	return len(g.Rule.Verbs) == 0 || slices.Contains(g.Rule.Verbs, rbacv1.VerbAll)
}

// distinct leaves out repeated grants, and those that only name a binding if another has a rule of it.
func distinct(grants []access.Grant) []access.Grant {
	var list []access.Grant
	for _, g := range grants {
		repeated := false
		for _, other := range list {
			same := other.Binding.Object == g.Binding.Object
			repeated = repeated || same && (len(g.Rule.Verbs) == 0 || other.RulePosition == g.RulePosition && policyrules.Same(other.Rule, g.Rule))
		}
		if !repeated {
			list = append(list, g)
		}
	}
	return list
}

// impersonation acts as users, groups, and accounts with the verb impersonate. The API server takes groups only together with a
// user, and requires the permission for serviceaccounts for the user name of an account (kube-apiserver, WithImpersonation).
//
// Source: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#impersonate-verb.
func (w *World) impersonation(n *node) {
	for _, h := range n.held(impersonateUsers) {
		step := &Step{Kind: Impersonate, Text: "impersonates", As: true, Grants: []access.Grant{h.grant}}
		if h.name == "" {
			w.link(n, w.place(users, ""), step)
		} else if _, isAccount := objects.ParseUser(h.name); !isAccount {
			w.link(n, w.identity(rbac.Subject{Kind: rbac.KindUser, Name: h.name}), step)
		}
	}
	for _, h := range n.held(impersonateAccounts) {
		w.toAccounts(n, h, accounts, &Step{Kind: Impersonate, Text: "impersonates", As: true, Grants: []access.Grant{h.grant}})
	}
	if !n.has(impersonateUsers, impersonateAccounts, impersonateGroups) {
		return
	}
	as := append(n.all(impersonateUsers), n.all(impersonateAccounts)...)
	if len(as) == 0 {
		return
	}
	for _, h := range n.all(impersonateGroups) {
		name := h.name
		if name == "" {
			name = masters
		}
		step := &Step{Kind: Impersonate, Text: "impersonates a user in", As: true, Grants: distinct([]access.Grant{h.grant, as[0].grant})}
		w.link(n, w.identity(rbac.Subject{Kind: rbac.KindGroup, Name: name}), step)
	}
}

// toAccounts links a node to the accounts of a permission: one of a name, or all of a namespace or the cluster.
func (w *World) toAccounts(n *node, h held, all opened, step *Step) {
	switch {
	case h.name == "":
		w.link(n, w.place(all, h.namespace), step)
	case strings.ContainsAny(h.name, ":/"): // not the name of an account
	case h.namespace != "":
		w.link(n, w.identity(rbac.Account(objects.Account{Namespace: h.namespace, Name: h.name})), step)
	default:
		named := w.place(accountsNamed(h.name), "")
		w.link(n, named, step)
		w.link(named, w.place(accountGroups, ""), nil)
	}
}

// accountsNamed are the accounts of one name in all namespaces. A permission names them cluster-wide.
func accountsNamed(name string) opened { return opened("accounts named " + name) }

// in returns where a permission applies.
func (h held) in() string {
	if h.namespace == "" {
		return "in any namespace"
	}
	return "in namespace " + h.namespace
}

// tokenSteps request tokens, and read those in Secrets. The API server adds a token to any Secret of the type for tokens, so a
// holder who can also create Secrets gets a token of each account.
//
// Sources: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#token-request and #listing-secrets,
// https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets.
func (w *World) tokenSteps(n *node) {
	for _, h := range n.held(createToken) {
		w.toAccounts(n, h, accounts, &Step{Kind: Token, Text: "requests a token of", As: true, Grants: []access.Grant{h.grant}})
	}
	for _, h := range n.held(readSecrets) {
		w.readTokens(n, h)
	}
	if !n.has(readSecrets, createSecrets) {
		return
	}
	reading := map[string]held{}
	for _, h := range n.all(readSecrets) {
		if _, known := reading[h.namespace]; !known {
			reading[h.namespace] = h
		}
	}
	for _, h := range n.all(createSecrets) {
		for _, namespace := range common(h.namespace, reading) {
			both := held{namespace: both(h.namespace, namespace)}
			w.toAccounts(n, both, accounts, &Step{Kind: Secret, Text: fmt.Sprintf("creates a token Secret %s and reads it: the token of", both.in()), As: true,
				Grants: distinct([]access.Grant{h.grant, reading[namespace].grant})})
		}
	}
}

func (w *World) readTokens(n *node, h held) {
	step := &Step{Kind: Secret, Text: "reads the token Secret of", As: true, Grants: []access.Grant{h.grant}}
	if h.name == "" {
		w.link(n, w.place(tokens, h.namespace), step)
		return
	}
	if h.namespace == "" {
		w.link(n, w.place(tokensNamed(h.name), ""), step)
		return
	}
	if account, ok := w.inventory.tokens[objectName{h.namespace, h.name}]; ok {
		w.link(n, w.identity(rbac.Account(account)), step)
	}
}

// tokensNamed are the accounts of token Secrets of one name in all namespaces.
func tokensNamed(name string) opened { return opened("tokens named " + name) }

// common returns the namespaces of the second permissions that go together with a first in a namespace: "" is all.
func common[V any](namespace string, second map[string]V) []string {
	if namespace == "" {
		if _, all := second[""]; all {
			return []string{""}
		}
		return sortedKeys(second)
	}
	if _, all := second[""]; all {
		return []string{""}
	}
	if _, same := second[namespace]; same {
		return []string{namespace}
	}
	return nil
}

// both returns where two permissions apply together, in namespaces that go together.
func both(a, b string) string {
	if a == "" {
		return b
	}
	return a
}
