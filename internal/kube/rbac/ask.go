package rbac

import (
	"cmp"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
)

// Answer reports whether somebody may do something. When it is not allowed, and Unknown, Partial or Uncertain has entries, it
// is not known whether the cluster allows it.
type Answer struct {
	Allowed bool
	// Binding and Rule are the first by which it is allowed: cluster-wide ones come first, then the order of the unit.
	Binding Binding
	Rule    rbacv1.PolicyRule
	// Giver is the role that an aggregated one has the rule from.
	Giver Giver
	// Unknown are roles granted in the scope of the request whose rules cannot be told, and Partial those to which roles
	// outside the repository may add, as in Effective. Uncertain are bindings that would allow it if they reached him, or
	// there. They are nil when it is allowed.
	Unknown   []RoleRef
	Partial   []RoleRef
	Uncertain []Binding
}

// Ask answers whether an identity may do something, by the bindings of BindingsFor. It does not look at Privileged.
func Ask(u *objects.Unit, from *objects.Object, who Identity, r Request) Answer {
	x := indexOf(u)
	var answer Answer
	bindings := BindingsFor(u, from, who)
	slices.SortStableFunc(bindings, func(a, b Binding) int { return cmp.Compare(min(len(a.Scope), 1), min(len(b.Scope), 1)) })
	for _, b := range slices.Concat(bindings, x.laterFor(who)) {
		if !b.mayCountFor(r) {
			continue
		}
		role := x.rulesOf(b)
		i := slices.IndexFunc(role.rules, func(rule rbacv1.PolicyRule) bool { return Allows(rule, r) })
		switch {
		case i >= 0 && b.certain():
			return Answer{Allowed: true, Binding: b, Rule: role.rules[i], Giver: role.giver(i)}
		case i >= 0:
			answer.Uncertain = append(answer.Uncertain, b)
		default:
			answer.doubt(b, role)
		}
	}
	answer.Unknown, answer.Partial = sortRefs(answer.Unknown), sortRefs(answer.Partial)
	return answer
}

func (a *Answer) doubt(b Binding, role roleRules) {
	a.Unknown = append(a.Unknown, role.unknown...)
	if role.partial {
		a.Partial = append(a.Partial, b.Role)
	}
}

// mayCountFor reports whether what the binding grants is, or may be, looked at for a request.
func (b Binding) mayCountFor(r Request) bool {
	switch {
	case b.Scope == "":
		return true
	case r.Path != "" || r.Namespace == "":
		return false
	case r.Namespace == AnyNamespace:
		return true
	}
	return b.Scope == UnknownNamespace || couldBe(b.Scope, r.Namespace)
}

// laterFor lists the bindings whose subject is filled in before they are applied, and may turn out to be an identity.
func (x *index) laterFor(who Identity) []Binding {
	subject, ok := who.subject()
	if !ok {
		return nil
	}
	var bindings []Binding
	for _, place := range x.templated {
		b := x.bindings[place]
		if (Later{Written: b.Subject}).mayBe(subject) {
			b.Uncertain = true
			bindings = append(bindings, b)
		}
	}
	return bindings
}

// Holder is a subject that may do something, and the binding and rule through which.
type Holder struct {
	Subject Subject
	Binding Binding
	Rule    rbacv1.PolicyRule
	// Giver is the role that an aggregated one has the rule from.
	Giver Giver
}

// Who lists the subjects that bindings allow something, sorted by subject and then in the order of the unit. Members of a
// group are not listed by name. Unknown are the bindings that may allow it besides: the rules of their role cannot be told,
// or not all of them, or they allow it in a namespace that is not known.
func Who(u *objects.Unit, r Request) (holders []Holder, unknown []Binding) {
	x := indexOf(u)
	for _, b := range x.bindings {
		if !b.mayCountFor(r) {
			continue
		}
		role := x.rulesOf(b)
		i := slices.IndexFunc(role.rules, func(rule rbacv1.PolicyRule) bool { return Allows(rule, r) })
		switch {
		case i >= 0 && b.certain():
			holders = append(holders, Holder{b.Subject, b, role.rules[i], role.giver(i)})
		case i >= 0, len(role.unknown) > 0, role.partial:
			unknown = append(unknown, b)
		}
	}
	slices.SortStableFunc(holders, func(a, b Holder) int { return a.Subject.compare(b.Subject) })
	return holders, unknown
}

func (s Subject) compare(other Subject) int {
	return cmp.Or(
		strings.Compare(s.Kind, other.Kind),
		strings.Compare(s.Namespace, other.Namespace),
		strings.Compare(s.Name, other.Name),
	)
}
