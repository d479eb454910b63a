package escalation

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/rbac"
)

// place identifies a place: what a permission opens, in a namespace, "" for all.
type place struct {
	what      opened
	namespace string
}

type opened string

const (
	// accounts are all accounts, and running those of running pods.
	accounts opened = "accounts"
	running  opened = "running"
	// accountGroups are the groups of all accounts of a namespace: an account with some name can be in any.
	accountGroups opened = "groups of accounts"
	// tokens are the accounts with token Secrets.
	tokens opened = "tokens"
	// users are all users, but not accounts.
	users opened = "users"
	// certified are all users and groups that a client certificate can name.
	certified opened = "certified"
	// ownUsers are users and groups of which OpenShift keeps objects: their names have no colon.
	ownUsers opened = "users of OpenShift"
	// namedRoles are the Roles.
	namedRoles opened = "roles"
)

// place returns the node of a place, which is added once. What it leads to is added by connectPlaces.
func (w *World) place(what opened, namespace string) *node {
	key := place{what, namespace}
	n := w.places[key]
	if n == nil {
		n = w.add(&node{})
		w.places[key] = n
	}
	return n
}

// connectPlaces links the places to what they include. A place of all namespaces includes those of each.
func (w *World) connectPlaces() {
	known := slices.Clone(w.nodes)
	for _, n := range known {
		s := n.subject
		switch {
		case n.isPlace() || s.Name == masters && s.Kind == rbac.KindGroup:
			continue
		case s.Kind == rbac.KindServiceAccount:
			w.enter(accounts, s.Namespace, n)
			if !n.noPods {
				w.enter(running, s.Namespace, n)
			}
			w.enter(accountsNamed(s.Name), "", n)
		case s.Kind == rbac.KindUser:
			w.enter(users, "", n)
		}
		if namespace, ok := accountsGroupOf(s); ok {
			w.enter(accountGroups, "", n)
			w.enter(accounts, namespace, n)
			w.enter(running, namespace, n)
		}
		w.enter(certified, "", n)
		w.enterOwn(n)
	}
	for _, name := range sorted(w.inventory.tokens) {
		n := w.identity(rbac.Account(w.inventory.tokens[name]))
		w.enter(tokens, name.namespace, n)
		w.enter(tokensNamed(name.name), "", n)
	}
}

// membersOf are groups of which OpenShift keeps objects; with a name that one.
func membersOf(name string) opened { return opened("groups of OpenShift " + name) }

// enterOwn links the places of users and groups of OpenShift. The API server refuses their objects with a colon in the name.
func (w *World) enterOwn(n *node) {
	switch s := n.subject; {
	case strings.Contains(s.Name, ":") || s.Kind == rbac.KindServiceAccount:
		return
	case s.Kind == rbac.KindGroup:
		w.enter(membersOf(""), "", n)
		w.enter(membersOf(s.Name), "", n)
	}
	w.enter(ownUsers, "", n)
}

// enter links the places of a namespace, and of all, to a node, if some permission leads to them.
func (w *World) enter(what opened, namespace string, n *node) {
	if at := w.places[place{what, namespace}]; at != nil {
		w.link(at, n, nil)
	}
	if at := w.places[place{what, ""}]; at != nil && namespace != "" {
		w.link(at, n, nil)
	}
}

// accountsGroupOf returns the namespace of a group of all its accounts; "" for the group of all accounts.
func accountsGroupOf(s rbac.Subject) (namespace string, ok bool) {
	switch {
	case s.Kind != rbac.KindGroup:
		return "", false
	case s.Name == accountsGroup:
		return "", true
	case len(s.Name) > len(accountsGroup)+1 && s.Name[:len(accountsGroup)+1] == accountsGroup+":":
		return s.Name[len(accountsGroup)+1:], true
	}
	return "", false
}
