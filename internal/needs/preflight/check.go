package preflight

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// Result is what installing needs, compared with the permissions of the identity.
type Result struct {
	// Missing is what the identity does not have, sorted by namespace, split and compacted as in operator-controller: it
	// can contain a rule that another one covers.
	Missing []Scoped
	// Needed is the same for an identity without permissions: the permissions of a minimal installer.
	Needed []Scoped
	// Unneeded is what the identity has and the needs do not cover. It includes permissions that are needed in one
	// namespace or for one name, and granted everywhere or for all.
	Unneeded []Scoped
	// Needs are all needs, and Gaps those that are not met, in order.
	Needs []Need
	Gaps  []Gap
	// Effective are the effective permissions of the identity, and what is unknown about them.
	Effective rbac.Effective
}

// Gap is a need that is not met.
type Gap struct {
	Need
	// Hold are the single permissions of its rules that are missing; Chosen are those that are missing in the chosen way.
	Hold, Chosen []rbacv1.PolicyRule
	// InsteadIn is the namespace in which Instead meets the need.
	InsteadIn string
}

// Check compares what is needed with the permissions of the identity. The errors are those of Needs.
func Check(in Input) (Result, error) {
	needs, err := Needs(in)
	if err != nil {
		return Result{}, err
	}
	c := newChecker(in)
	missing, needed, used := scopes{}, scopes{}, scopes{}
	result := Result{Effective: c.effective, Needs: needs}
	for i, need := range needs {
		if need.Grows != 0 && need.Instead != nil && c.held(c.insteadIn(need)).Covers(*c.instead(need)) {
			needs[i].Grows = 0 // bind is sufficient, however many rules the role has
		}
		gap, open := c.gap(need)
		if open {
			result.Gaps = append(result.Gaps, gap)
			missing.add(gap.Namespace, gap.Chosen)
		}
		needed.add(need.Namespace, chosen(need, need.Rules, in.Escalation))
		used.add(need.Namespace, c.used(need))
	}
	c.noteTooLarge()
	result.Missing, result.Needed = missing.compact(), needed.compact()
	if in.Granted == nil {
		result.Unneeded = c.unneeded(used) // a list of a cluster includes what every identity holds
	}
	return result, nil
}

// noteTooLarge notes that rules were too large to compare.
func (c *checker) noteTooLarge() {
	largest := 0.0
	for _, h := range c.holdings {
		largest = max(largest, h.largest)
	}
	if largest == 0 || c.in.Note == nil {
		return
	}
	c.in.Note(fmt.Sprintf("rules of the bundle are too large to compare: at most %d combinations of groups, resources, names, and verbs are compared in all, and the largest "+
		"rule that was not has %.0f. Such rules count as missing unless the identity has the same ones, or all permissions", policyrules.MaxPermissions, largest))
}

// effectiveOf returns the permissions of the identity. A RoleBinding without a namespace is assumed to be applied to the
// extension's, and is listed in Effective.Uncertain.
func effectiveOf(in Input) rbac.Effective {
	if in.Granted != nil {
		return rbac.Effective{Cluster: in.Granted.Rules, Versions: in.Unit.KubernetesVersions()}
	}
	if in.Effective != nil {
		return *in.Effective
	}
	if in.Identity.Privileged() {
		return rbac.Effective{Cluster: everything, Versions: in.Unit.KubernetesVersions()}
	}
	e := rbac.EffectiveFor(in.Unit, in.From, in.Identity)
	if rules, some := e.Namespaces[rbac.UnknownNamespace]; some {
		delete(e.Namespaces, rbac.UnknownNamespace)
		e.Namespaces[in.Namespace] = slices.Concat(e.Namespaces[in.Namespace], rules)
	}
	return e
}

// NotHeld returns the wanted rules that the identity does not have, in the form of Result.Missing.
func NotHeld(in Input, wanted []Scoped) []Scoped {
	c := newChecker(in)
	missing := scopes{}
	for _, s := range wanted {
		missing.add(s.Namespace, c.held(s.Namespace).missing(s.Rules))
	}
	return missing.compact()
}

// Without returns the permissions in the first list that are not in the second.
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

// checker has the permissions of the identity by namespace.
type checker struct {
	in        Input
	effective rbac.Effective
	holdings  map[string]*ruleIndex
	lacks     map[rulesIn][]rbacv1.PolicyRule
}

// rulesIn identifies a list of rules, by its address, in a namespace. A role and its bindings share the list.
type rulesIn struct {
	namespace string
	first     *rbacv1.PolicyRule
	length    int
}

func newChecker(in Input) *checker {
	return &checker{in: in, effective: effectiveOf(in), holdings: map[string]*ruleIndex{}, lacks: map[rulesIn][]rbacv1.PolicyRule{}}
}

// lacking returns the rules of a need that the identity does not have.
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

func (c *checker) held(namespace string) *ruleIndex {
	h := c.holdings[namespace]
	if h == nil {
		h = newRuleIndex(c.effective.In(namespace))
		c.holdings[namespace] = h
	}
	return h
}

// gap returns what is missing for a need, if anything is.
func (c *checker) gap(need Need) (Gap, bool) {
	if need.Instead != nil && c.held(c.insteadIn(need)).Covers(*c.instead(need)) {
		return Gap{}, false
	}
	gap := Gap{Need: need, Hold: c.lacking(need), InsteadIn: c.insteadIn(need)}
	if len(gap.Hold) == 0 && !need.Unknown {
		return Gap{}, false
	}
	gap.Chosen = chosen(need, gap.Hold, c.in.Escalation)
	gap.Instead = c.instead(need)
	if gap.Instead != nil && (c.in.Escalation == Verbs || need.Unknown) {
		gap.Chosen, gap.Namespace = []rbacv1.PolicyRule{*gap.Instead}, gap.InsteadIn
	}
	return gap, true
}

// instead returns the verb that meets a need: the pre-authorizer asks for escalate without a name (operator-controller v1.10.0,
// internal/operator-controller/authorization/rbac.go, checkEscalation: RequestInfo has neither namespace nor name).
func (c *checker) instead(need Need) *rbacv1.PolicyRule {
	if !c.in.PreAuthorizer || need.Purpose != GrantRole || need.Instead == nil {
		return need.Instead
	}
	rule := *need.Instead
	rule.ResourceNames = nil
	return &rule
}

// insteadIn returns where that verb is needed.
func (c *checker) insteadIn(need Need) string {
	if c.in.PreAuthorizer && need.Purpose == GrantRole {
		return ""
	}
	return need.Namespace
}

// chosen returns the permissions that meet a need in the chosen way. For a role with unknown rules there is only one way.
func chosen(need Need, rules []rbacv1.PolicyRule, way Escalation) []rbacv1.PolicyRule {
	if need.Instead != nil && (way == Verbs || need.Unknown) {
		return []rbacv1.PolicyRule{*need.Instead}
	}
	return rules
}

// used returns the permissions with which the identity meets a need, or would meet it in the chosen way.
func (c *checker) used(need Need) []rbacv1.PolicyRule {
	if need.Instead == nil || need.Unknown {
		return chosen(need, need.Rules, c.in.Escalation)
	}
	h := c.held(need.Namespace)
	byVerb, byRules := h.Covers(*need.Instead), len(c.lacking(need)) == 0
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

// unneeded returns the permissions beyond those that are used.
func (c *checker) unneeded(used scopes) []Scoped {
	extra := scopes{}
	extra.add("", newRuleIndex(used[""]).missing(c.effective.Cluster))
	for namespace, rules := range c.effective.Namespaces {
		extra.add(namespace, newRuleIndex(slices.Concat(used[""], used[namespace])).missing(rules))
	}
	return extra.compact()
}

// Compact groups rules by namespace, in the form of Result.Missing.
func Compact(rules []Scoped) []Scoped {
	all := scopes{}
	for _, s := range rules {
		all.add(s.Namespace, s.Rules)
	}
	return all.compact()
}

// scopes are rules by namespace.
type scopes map[string][]rbacv1.PolicyRule

func (s scopes) add(namespace string, rules []rbacv1.PolicyRule) {
	if len(rules) > 0 {
		s[namespace] = append(s[namespace], rules...)
	}
}

// compact returns the rules in the form and order of operator-controller.
func (s scopes) compact() []Scoped {
	all := []Scoped{}
	for namespace, rules := range s {
		all = append(all, Scoped{namespace, policyrules.Compact(singles(rules))})
	}
	slices.SortFunc(all, func(a, b Scoped) int { return strings.Compare(a.Namespace, b.Namespace) })
	return all
}
