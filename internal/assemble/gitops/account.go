package gitops

import (
	"fmt"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// accountAllows checks whether an account can create an object, and grant the role of a binding.
func accountAllows(u *objects.Unit, account objects.Account, w NewObject, serverSide bool, at Place) Permission {
	who := actingAccount{unit: u, account: account, identity: rbac.Account(account).Identity(), place: at}
	if u == nil || !who.bound() {
		return Permission{Unknown, fmt.Sprintf("nothing in the repository says what the account %s may do", who), at}
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
	return Permission{Allowed, fmt.Sprintf("the account %s may create it", who), at}
}

// resource returns the plural of an RBAC kind, or of ServiceAccount.
func resource(kind string) string { return strings.ToLower(kind) + "s" }

// actingAccount is an account as which objects are applied.
type actingAccount struct {
	unit     *objects.Unit
	account  objects.Account
	identity rbac.Identity
	place    Place
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
	case len(answer.Unknown)+len(answer.Partial)+len(answer.Uncertain) > 0:
		return &Permission{Unknown, fmt.Sprintf("it is not known whether the account %s may %s", t, what), t.place}
	}
	return &Permission{Denied, fmt.Sprintf("the account %s may not %s", t, what), t.place}
}

// canGrant reports whether the account can grant a role: it can bind the role, or has all permissions of the role.
func (t actingAccount) canGrant(w NewObject) Permission {
	role := *w.Role
	bind := rbac.Request{Verb: "bind", Group: rbac.Group, Resource: resource(role.Kind), Name: role.Name, Namespace: w.Namespace}
	refused := t.refusal(bind, fmt.Sprintf("bind the %s %s", role.Kind, role.Name))
	if refused == nil {
		return Permission{Allowed, fmt.Sprintf("the account %s may bind the %s %s", t, role.Kind, role.Name), t.place}
	}
	rules, known := w.Rules, w.Rules != nil
	if !known {
		rules, known, _ = rbac.RoleRulesOf(t.unit, role, nil)
	}
	switch {
	case !known:
		refused.Verdict = Unknown
		refused.Why += ", and what that allows is not known"
	case t.holds(w.Namespace, rules):
		return Permission{Allowed, fmt.Sprintf("the account %s holds what the %s %s allows", t, role.Kind, role.Name), t.place}
	default:
		refused.Why += " and does not hold all that it allows"
	}
	return *refused
}

// canWrite reports whether the account can write a role: it can escalate, or has all permissions of the role.
func (t actingAccount) canWrite(w NewObject) Permission {
	escalate := rbac.Request{Verb: "escalate", Group: rbac.Group, Resource: resource(w.Kind), Name: w.Name, Namespace: w.Namespace}
	refused := t.refusal(escalate, fmt.Sprintf("escalate the %s %s", w.Kind, w.Name))
	switch {
	case refused == nil:
		return Permission{Allowed, fmt.Sprintf("the account %s may escalate the %s %s", t, w.Kind, w.Name), t.place}
	case t.holds(w.Namespace, w.Rules):
		return Permission{Allowed, fmt.Sprintf("the account %s holds what the %s %s allows", t, w.Kind, w.Name), t.place}
	}
	refused.Why += " and does not hold all that it allows"
	return *refused
}

func (t actingAccount) holds(namespace string, rules []rbacv1.PolicyRule) bool {
	return len(rbac.Missing(rbac.EffectiveFor(t.unit, nil, t.identity).In(namespace), rules)) == 0
}
