package preflight

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
)

// Result is what installing needs, against what the identity holds.
type Result struct {
	// Missing is what the identity does not hold, sorted by namespace, broken down and compacted as operator-controller
	// does: a rule may be there that another one covers.
	Missing []Scoped
	// Needed is the same for an identity that holds nothing: the whole of a minimal installer.
	Needed []Scoped
	// Unneeded is what the identity holds and the needs do not cover. What is needed in one namespace or for one name, and
	// held everywhere or for all, is among it.
	Unneeded []Scoped
	// Needs are all needs, and Gaps those that are not met, in their order.
	Needs []Need
	Gaps  []Gap
	// Effective is what the identity holds, and what of that is not known.
	Effective rbac.Effective
}

// Gap is a need that is not met.
type Gap struct {
	Need
	// Hold is what of its rules is not held, in single permissions; Chosen is what is missing by the way that was chosen.
	Hold, Chosen []rbacv1.PolicyRule
}

// Check compares what is needed with what the identity holds. The errors are those of Needs.
func Check(in Input) (Result, error) {
	needs, err := Needs(in)
	if err != nil {
		return Result{}, err
	}
	c := newChecker(in)
	missing, needed, used := scopes{}, scopes{}, scopes{}
	result := Result{Effective: c.effective, Needs: needs}
	for _, need := range needs {
		gap, open := c.gap(need)
		if open {
			result.Gaps = append(result.Gaps, gap)
			missing.add(need.Namespace, gap.Chosen)
		}
		needed.add(need.Namespace, chosen(need, need.Rules, in.Escalation))
		used.add(need.Namespace, c.used(need))
	}
	result.Missing, result.Needed = missing.compact(), needed.compact()
	result.Unneeded = c.unneeded(used)
	return result, nil
}

// effectiveOf is what the identity holds. A RoleBinding that names no namespace gets one when it is applied: it is taken
// for the one of the extension, and is among Effective.Uncertain.
func effectiveOf(in Input) rbac.Effective {
	if in.Identity.Privileged() {
		return rbac.Effective{Cluster: everything}
	}
	e := rbac.EffectiveFor(in.Unit, in.From, in.Identity)
	if rules, some := e.Namespaces[rbac.UnknownNamespace]; some {
		delete(e.Namespaces, rbac.UnknownNamespace)
		e.Namespaces[in.Namespace] = slices.Concat(e.Namespaces[in.Namespace], rules)
	}
	return e
}

// NotHeld gives what of the wanted rules the identity does not hold, in the form of Result.Missing.
func NotHeld(in Input, wanted []Scoped) []Scoped {
	c := newChecker(in)
	missing := scopes{}
	for _, s := range wanted {
		missing.add(s.Namespace, c.held(s.Namespace).missing(s.Rules))
	}
	return missing.compact()
}

// Without gives what is in the first list and not in the second, permission by permission.
func Without(all, others []Scoped) []Scoped {
	known := map[string]map[string]bool{}
	for _, s := range others {
		known[s.Namespace] = map[string]bool{}
		for _, single := range singles(s.Rules) {
			known[s.Namespace][single.String()] = true
		}
	}
	left := scopes{}
	for _, s := range all {
		for _, single := range singles(s.Rules) {
			if !known[s.Namespace][single.String()] {
				left.add(s.Namespace, []rbacv1.PolicyRule{single})
			}
		}
	}
	return left.compact()
}

// checker knows what the identity holds in each namespace.
type checker struct {
	in        Input
	effective rbac.Effective
	holdings  map[string]*held
	lacks     map[rulesIn][]rbacv1.PolicyRule
}

// rulesIn is a list of rules, by where it lies in memory, in a namespace. A role and those who bind it share the list.
type rulesIn struct {
	namespace string
	first     *rbacv1.PolicyRule
	length    int
}

func newChecker(in Input) *checker {
	return &checker{in: in, effective: effectiveOf(in), holdings: map[string]*held{}, lacks: map[rulesIn][]rbacv1.PolicyRule{}}
}

// lacking gives what of the rules of a need is not held.
func (c *checker) lacking(need Need) []rbacv1.PolicyRule {
	if len(need.Rules) == 0 {
		return nil
	}
	key := rulesIn{need.Namespace, &need.Rules[0], len(need.Rules)}
	missing, known := c.lacks[key]
	if !known {
		missing = c.held(need.Namespace).missing(need.Rules)
		c.lacks[key] = missing
	}
	return missing
}

func (c *checker) held(namespace string) *held {
	h := c.holdings[namespace]
	if h == nil {
		h = newHeld(c.effective.In(namespace))
		c.holdings[namespace] = h
	}
	return h
}

// gap tells what is missing for a need, if anything is.
func (c *checker) gap(need Need) (Gap, bool) {
	h := c.held(need.Namespace)
	if need.Instead != nil && h.covers(*need.Instead) {
		return Gap{}, false
	}
	gap := Gap{Need: need, Hold: c.lacking(need)}
	if len(gap.Hold) == 0 && !need.Unknown {
		return Gap{}, false
	}
	gap.Chosen = chosen(need, gap.Hold, c.in.Escalation)
	return gap, true
}

// chosen is the way to meet a need, where there are two. A role whose rules are not known leaves one.
func chosen(need Need, rules []rbacv1.PolicyRule, way Escalation) []rbacv1.PolicyRule {
	if need.Instead != nil && (way == Verbs || need.Unknown) {
		return []rbacv1.PolicyRule{*need.Instead}
	}
	return rules
}

// used is what the identity must keep to meet a need as it does, or what it would need by the way that was chosen.
func (c *checker) used(need Need) []rbacv1.PolicyRule {
	if need.Instead == nil || need.Unknown {
		return chosen(need, need.Rules, c.in.Escalation)
	}
	h := c.held(need.Namespace)
	byVerb, byRules := h.covers(*need.Instead), len(c.lacking(need)) == 0
	switch {
	case byRules && !byVerb:
		return need.Rules
	case byVerb && !byRules && c.in.Escalation == Hold:
		return append(slices.Clone(need.Rules), *need.Instead)
	case byVerb && !byRules:
		return []rbacv1.PolicyRule{*need.Instead}
	}
	return chosen(need, need.Rules, c.in.Escalation)
}

// unneeded lists what is held beyond what is used.
func (c *checker) unneeded(used scopes) []Scoped {
	extra := scopes{}
	extra.add("", newHeld(used[""]).missing(c.effective.Cluster))
	for namespace, rules := range c.effective.Namespaces {
		extra.add(namespace, newHeld(slices.Concat(used[""], used[namespace])).missing(rules))
	}
	return extra.compact()
}

// Compact puts rules together by namespace, in the form of Result.Missing.
func Compact(rules []Scoped) []Scoped {
	all := scopes{}
	for _, s := range rules {
		all.add(s.Namespace, s.Rules)
	}
	return all.compact()
}

// scopes collects rules by namespace.
type scopes map[string][]rbacv1.PolicyRule

func (s scopes) add(namespace string, rules []rbacv1.PolicyRule) {
	if len(rules) > 0 {
		s[namespace] = append(s[namespace], rules...)
	}
}

// compact gives the rules in the form and order of operator-controller.
func (s scopes) compact() []Scoped {
	all := []Scoped{}
	for namespace, rules := range s {
		all = append(all, Scoped{namespace, rbac.Compact(singles(rules))})
	}
	slices.SortFunc(all, func(a, b Scoped) int { return strings.Compare(a.Namespace, b.Namespace) })
	return all
}
