package gitops

import (
	"fmt"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// accountAllows checks whether an account can create an object, and grant the role of a binding.
func accountAllows(u *objects.Unit, account objects.Account, w NewObject, serverSide bool, at view.Location) Permission {
	who := actingAccount{unit: u, account: account, identity: rbac.Account(account).Identity(), location: at}
	if u == nil || !who.bound() {
		return Permission{Unknown, fmt.Sprintf("the permissions of the account %s are not in the repository", who), at}
	}
	verbs := []string{"create"}
	if serverSide {
		verbs = append(verbs, "patch")
	}
	for _, verb := range verbs {
		request := rbac.Request{Verb: verb, Group: w.Group, Resource: resource(w.Kind), Namespace: w.Namespace}
		if verb != "create" { // creation cannot be limited to names
			request.Name = w.Name
		}
		if refused := who.refusal(request, verb+" "+request.Resource); refused != nil {
			return *refused
		}
	}
	switch {
	case w.Role != nil:
		return who.canGrant(w)
	case w.Rules != nil:
		return who.canWrite(w)
	}
	return Permission{Allowed, fmt.Sprintf("the account %s can create it", who), at}
}

// resource returns the plural of an RBAC kind, or of ServiceAccount.
func resource(kind string) string { return strings.ToLower(kind) + "s" }

// actingAccount is an account as which objects are applied.
type actingAccount struct {
	unit     *objects.Unit
	account  objects.Account
	identity rbac.Identity
	location view.Location
}

func (t actingAccount) String() string { return t.account.Namespace + "/" + t.account.Name }

// bound reports whether the repository binds a role to the account itself.
func (t actingAccount) bound() bool {
	for _, binding := range rbac.BindingsFor(t.unit, nil, t.identity) {
		if binding.Via == "" {
			return true
		}
	}
	return false
}

// refusal returns why a request is not allowed, or nil if it is. what describes the request in the message.
func (t actingAccount) refusal(request rbac.Request, what string) *Permission {
	answer := rbac.Ask(t.unit, nil, t.identity, request)
	switch {
	case answer.Allowed:
		return nil
	case len(answer.Unknown)+len(answer.Partial)+len(answer.Uncertain)+len(answer.Newer) > 0:
		return &Permission{Unknown, fmt.Sprintf("it is unknown whether the account %s can %s", t, what), t.location}
	}
	return &Permission{Denied, fmt.Sprintf("the account %s cannot %s", t, what), t.location}
}

// canGrant reports whether the account can grant a role: it can bind the role, or has all permissions of the role.
func (t actingAccount) canGrant(w NewObject) Permission {
	role := *w.Role
	bind := rbac.Request{Verb: "bind", Group: rbac.Group, Resource: resource(role.Kind), Name: role.Name, Namespace: w.Namespace}
	refused := t.refusal(bind, fmt.Sprintf("bind the %s %s", role.Kind, role.Name))
	if refused == nil {
		return Permission{Allowed, fmt.Sprintf("the account %s can bind the %s %s", t, role.Kind, role.Name), t.location}
	}
	rules, known := w.Rules, w.Rules != nil
	if !known {
		rules, known, _ = rbac.RoleRulesOf(t.unit, role, nil)
	}
	switch {
	case !known:
		refused.Verdict = Unknown
		refused.Why += ", and the permissions of that role are unknown"
	case t.holds(w.Namespace, rules):
		return Permission{Allowed, fmt.Sprintf("the account %s has all permissions of the %s %s", t, role.Kind, role.Name), t.location}
	default:
		refused.Why += " and does not have all of its permissions"
	}
	return *refused
}

// canWrite reports whether the account can write a role: it can escalate, or has all permissions of the role.
func (t actingAccount) canWrite(w NewObject) Permission {
	escalate := rbac.Request{Verb: "escalate", Group: rbac.Group, Resource: resource(w.Kind), Name: w.Name, Namespace: w.Namespace}
	refused := t.refusal(escalate, fmt.Sprintf("escalate the %s %s", w.Kind, w.Name))
	switch {
	case refused == nil:
		return Permission{Allowed, fmt.Sprintf("the account %s can escalate the %s %s", t, w.Kind, w.Name), t.location}
	case t.holds(w.Namespace, w.Rules):
		return Permission{Allowed, fmt.Sprintf("the account %s has all permissions of the %s %s", t, w.Kind, w.Name), t.location}
	}
	refused.Why += " and does not have all of its permissions"
	return *refused
}

func (t actingAccount) holds(namespace string, rules []rbacv1.PolicyRule) bool {
	return len(policyrules.Missing(rbac.EffectiveFor(t.unit, nil, t.identity).In(namespace), rules)) == 0
}
