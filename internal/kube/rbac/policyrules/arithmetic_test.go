package policyrules_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/component-helpers/auth/rbac/validation"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// dice generates rules from few words, so that they overlap.
type dice struct{ *rand.Rand }

func (d dice) some(atLeast int, words ...string) []string {
	var chosen []string
	for range atLeast + d.IntN(3) {
		chosen = append(chosen, words[d.IntN(len(words))])
	}
	return chosen
}

func (d dice) rules() []rbacv1.PolicyRule {
	var rules []rbacv1.PolicyRule
	for range d.IntN(5) {
		if d.IntN(4) == 0 {
			rules = append(rules, rbacv1.PolicyRule{Verbs: d.some(1, "get", "post", "*"), NonResourceURLs: d.some(1, "*", "/a", "/a/*", "/a/b", "/*")})
			continue
		}
		rules = append(rules, rbacv1.PolicyRule{
			Verbs: d.some(0, "get", "list", "create", "*"), APIGroups: d.some(0, "", "apps", "*"),
			Resources: d.some(0, "pods", "pods/log", "*/log", "deployments/scale", "*"),
		})
		if d.IntN(3) == 0 {
			rules[len(rules)-1].ResourceNames = d.some(1, "a", "b")
		}
	}
	return rules
}

// FuzzArithmetic compares the functions with one another: they answer one question in different ways.
func FuzzArithmetic(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		d := dice{rand.New(rand.NewPCG(seed, 3))}
		owner, wanted := d.rules(), d.rules()
		missing := policyrules.Missing(owner, wanted)
		covered(t, wanted, missing, "what is missing was not wanted")
		covered(t, slices.Concat(owner, missing), wanted, "with what was missing, more is missing")
		if ok, _ := policyrules.Covers(owner, wanted); ok != (len(missing) == 0) {
			t.Errorf("covered %v, and missing is %v", ok, missing)
		}
		for _, rules := range [][]rbacv1.PolicyRule{policyrules.Compact(wanted), policyrules.Breakdown(wanted), policyrules.Compact(policyrules.Breakdown(wanted))} {
			covered(t, rules, wanted, "something got lost")
			covered(t, wanted, rules, "something came on top")
		}
		index := policyrules.NewIndex(owner)
		for _, single := range policyrules.Breakdown(wanted) {
			agree(t, owner, single)
			if ok, _ := validation.Covers(owner, []rbacv1.PolicyRule{single}); ok != index.Covers(single) {
				t.Errorf("the library says %v, the index not: %v by %v", ok, single, owner)
			}
		}
		for _, rule := range wanted {
			if ok, _ := policyrules.Covers(owner, []rbacv1.PolicyRule{rule}); ok != policyrules.CoversRule(owner, rule) {
				t.Errorf("covered %v, and one rule is not the same: %v by %v", ok, rule, owner)
			}
			if ok, _ := validation.Covers(wanted, []rbacv1.PolicyRule{rule}); !ok && policyrules.NewIndex(wanted).Has(rule) {
				t.Errorf("the same rule does not cover %v", rule)
			}
		}
	})
}

func covered(t *testing.T, owner, wanted []rbacv1.PolicyRule, message string) {
	t.Helper()
	if ok, missing := policyrules.Covers(owner, wanted); !ok {
		t.Errorf("%s: %v\n%v\n%v", message, missing, owner, wanted)
	}
}

// agree compares Allows with Covers: a single permission, as a request, is allowed if the permission is covered; wildcards
// are ordinary words here.
func agree(t *testing.T, owner []rbacv1.PolicyRule, single rbacv1.PolicyRule) {
	t.Helper()
	request := requestFor(single)
	allowed := slices.ContainsFunc(owner, func(r rbacv1.PolicyRule) bool { return rbac.Allows(r, request) })
	if ok, _ := policyrules.Covers(owner, []rbacv1.PolicyRule{single}); ok != allowed {
		t.Errorf("covered %v, allowed %v: %v by %v", ok, allowed, single, owner)
	}
}

func requestFor(single rbacv1.PolicyRule) rbac.Request {
	if len(single.NonResourceURLs) > 0 {
		return rbac.Request{Verb: single.Verbs[0], Path: single.NonResourceURLs[0]}
	}
	r := rbac.Request{Verb: single.Verbs[0], Group: single.APIGroups[0]}
	r.Resource, r.Subresource, _ = strings.Cut(single.Resources[0], "/")
	if len(single.ResourceNames) > 0 {
		r.Name = single.ResourceNames[0]
	}
	return r
}
