package rbac

import (
	"cmp"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
)

// Answer reports whether a request is allowed. If it is not, and Unknown, Partial, Uncertain, or Newer has entries, the cluster
// could still allow it.
type Answer struct {
	Allowed bool
	// Binding and Rule are the first that allow the request: cluster-wide ones come first, then the order of the unit.
	Binding Binding
	Rule    rbacv1.PolicyRule
	// RuleSource is the source of the rule in an aggregated role.
	Source RuleSource
	// Unknown are roles granted in the scope of the request whose rules are unknown, and Partial those to which roles
	// outside the repository can add rules, as in Effective. Uncertain are bindings that would allow the request if they
	// applied to the identity, or in the namespace. Newer are those that allow it in newer versions of Kubernetes that the cluster
	// can run. They are nil if the request is allowed.
	Unknown   []RoleRef
	Partial   []RoleRef
	Uncertain []Binding
	Newer     []NewerGrant
}

// Ask returns whether an identity is allowed a request, by the bindings of BindingsFor. It does not check Privileged.
func Ask(u *objects.Unit, from *objects.Object, who Identity, r Request) Answer {
	x := indexOf(u)
	var answer Answer
	bindings := BindingsFor(u, from, who)
	slices.SortStableFunc(bindings, func(a, b Binding) int { return cmp.Compare(min(len(a.Scope), 1), min(len(b.Scope), 1)) })
	for _, b := range slices.Concat(bindings, x.templatedBindingsFor(who)) {
		if !b.canApply(r) {
			continue
		}
		role := x.rulesOf(b)
		i := slices.IndexFunc(role.rules, func(rule rbacv1.PolicyRule) bool { return Allows(rule, r) })
		switch {
		case i >= 0 && b.certain():
			return Answer{Allowed: true, Binding: b, Rule: role.rules[i], Source: role.giver(i)}
		case i >= 0:
			answer.Uncertain = append(answer.Uncertain, b)
			if x.eachAllows(b, answer.Uncertain) {
				return Answer{Allowed: true, Binding: b, Rule: role.rules[i], Source: role.giver(i)}
			}
		default:
			answer.addDoubts(b, role)
			if since, ok := x.newer(b, r); ok {
				answer.Newer = append(answer.Newer, NewerGrant{b, since})
			}
		}
	}
	answer.Unknown, answer.Partial = sortRefs(answer.Unknown), sortRefs(answer.Partial)
	return answer
}

// eachAllows reports whether only one of several objects of a binding's name takes effect, and each of them is among bindings that would allow
// a request.
func (x *index) eachAllows(b Binding, allowing []Binding) bool {
	same := x.again[b.Object]
	alone := b
	if alone.Duplicate = false; len(same) == 0 || !alone.certain() {
		return false
	}
	return !slices.ContainsFunc(same, func(o *objects.Object) bool {
		return !slices.ContainsFunc(allowing, func(a Binding) bool { return a.Object == o })
	})
}

// OnlyReplaceable returns a binding of an identity that another object of its name, which does not bind the identity, can replace, if all
// of its bindings can be replaced: the identity has nothing then. Bindings that every cluster has do not count.
func OnlyReplaceable(u *objects.Unit, who Identity) (b Binding, is bool) {
	x := indexOf(u)
	bindings := slices.DeleteFunc(slices.Clone(x.of(who)), func(b Binding) bool { return b.Default })
	if len(bindings) == 0 || slices.ContainsFunc(bindings, func(b Binding) bool { return !b.Duplicate || x.eachAllows(b, bindings) }) {
		return Binding{}, false
	}
	return bindings[0], true
}

func (a *Answer) addDoubts(b Binding, role roleRules) {
	a.Unknown = append(a.Unknown, role.unknown...)
	if role.partial {
		a.Partial = append(a.Partial, b.Role)
	}
}

// canApply reports whether the binding applies, or can apply, to a request.
func (b Binding) canApply(r Request) bool {
	switch {
	case b.Scope == "":
		return true
	case r.Path != "" || r.Namespace == "":
		return false
	case r.Namespace == AnyNamespace:
		return true
	}
	return b.Scope == UnknownNamespace || CanEqual(b.Scope, r.Namespace)
}

// templatedBindingsFor lists the bindings with a templated subject that can become an identity.
func (x *index) templatedBindingsFor(who Identity) []Binding {
	subject, ok := who.subject()
	if !ok {
		return nil
	}
	var bindings []Binding
	for _, place := range x.templated {
		b := x.bindings[place]
		if (TemplatedSubject{Written: b.Subject}).CanBe(subject) {
			b.Uncertain = true
			bindings = append(bindings, b)
		}
	}
	return bindings
}

// Holder is a subject that is allowed a request, with the binding and rule that allow it.
type Holder struct {
	Subject Subject
	Binding Binding
	Rule    rbacv1.PolicyRule
	// RuleSource is the source of the rule in an aggregated role.
	Source RuleSource
}

// WhoCan lists the subjects to which bindings allow a request, sorted by subject and then in the order of the unit. Members
// of a group are not listed by name. Unknown are the bindings that can also allow it: the rules of their role are unknown
// or incomplete, or their namespace is unknown. Newer are those that allow it in newer versions of Kubernetes that the cluster can
// run.
func WhoCan(u *objects.Unit, r Request) (holders []Holder, unknown []Binding, newer []NewerGrant) {
	x := indexOf(u)
	for _, b := range x.bindings {
		if !b.canApply(r) {
			continue
		}
		role := x.rulesOf(b)
		i := slices.IndexFunc(role.rules, func(rule rbacv1.PolicyRule) bool { return Allows(rule, r) })
		if since, ok := x.newer(b, r); ok && i < 0 {
			newer = append(newer, NewerGrant{b, since})
			continue
		}
		switch {
		case i >= 0 && b.certain():
			holders = append(holders, Holder{b.Subject, b, role.rules[i], role.giver(i)})
		case i >= 0, len(role.unknown) > 0, role.partial:
			unknown = append(unknown, b)
		}
	}
	slices.SortStableFunc(holders, func(a, b Holder) int { return a.Subject.compare(b.Subject) })
	return holders, unknown, newer
}

// NamedHolder is a subject that is allowed a request only for objects with some names.
type NamedHolder struct {
	Holder
	// Names are those of all rules of the role that allow it, sorted.
	Names []string
}

// WhoCanNamed lists the subjects to which bindings allow a request without a name only for objects with some names, in the order of
// WhoCan. Those to which the same binding allows it without a name are left out.
func WhoCanNamed(u *objects.Unit, r Request) []NamedHolder {
	if r.Name != "" || r.Path != "" || !r.canHaveName() {
		return nil
	}
	x := indexOf(u)
	var found []NamedHolder
	for _, b := range x.bindings {
		if !b.canApply(r) || !b.certain() {
			continue
		}
		if h := namedIn(b, x.rulesOf(b), r); len(h.Names) > 0 {
			found = append(found, h)
		}
	}
	slices.SortStableFunc(found, func(a, b NamedHolder) int { return a.Subject.compare(b.Subject) })
	return found
}

// namedIn returns the holder of a binding with the names for which the rules of its role allow a request; without names if one allows it
// for all.
func namedIn(b Binding, role roleRules, r Request) NamedHolder {
	h := NamedHolder{Holder: Holder{Subject: b.Subject, Binding: b}}
	for i, rule := range role.rules {
		names := rule.ResourceNames
		rule.ResourceNames = nil
		switch {
		case !Allows(rule, r):
			continue
		case len(names) == 0:
			return NamedHolder{}
		case len(h.Names) == 0:
			h.Rule, h.Source = role.rules[i], role.giver(i)
		}
		h.Names = append(h.Names, names...)
	}
	slices.Sort(h.Names)
	h.Names = slices.Compact(h.Names)
	return h
}

// canHaveName reports whether a request of the verb can have a name: the API server takes that of a list from its field selector, and
// knows none when an object is created or a collection is deleted (endpoints/request/requestinfo.go).
func (r Request) canHaveName() bool {
	return r.Verb != "deletecollection" && (r.Verb != "create" || r.Subresource != "")
}

func (s Subject) compare(other Subject) int {
	return cmp.Or(
		strings.Compare(s.Kind, other.Kind),
		strings.Compare(s.Namespace, other.Namespace),
		strings.Compare(s.Name, other.Name),
	)
}
