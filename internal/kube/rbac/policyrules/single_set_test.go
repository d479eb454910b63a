package policyrules

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/component-helpers/auth/rbac/validation"
)

// TestSingleSet compares sets of single permissions with the library, and checks that a wildcard or a URL is left to the index.
func TestSingleSet(t *testing.T) {
	t.Parallel()
	covered, missing, refused := 0, 0, 0
	for seed := range uint64(6000) {
		r := rand.New(rand.NewPCG(seed, 1))
		one := func(words ...string) []string { return []string{words[r.IntN(len(words))]} }
		rules := func(wild string) []rbacv1.PolicyRule {
			var all []rbacv1.PolicyRule
			for range r.IntN(6) {
				rule := rbacv1.PolicyRule{Verbs: one("get", "list", wild), APIGroups: one("", "apps", wild), Resources: one("pods", "pods/log", "*/log", wild)}
				switch r.IntN(5) {
				case 0:
					rule.ResourceNames = one("a", "b")
				case 1:
					rule.ResourceNames = []string{}
				case 2:
					rule.Verbs = append(rule.Verbs, "watch")
				}
				all = append(all, rule)
			}
			return all
		}
		owner, wanted := Breakdown(rules("create")), rules("*")
		set, ok := newSingleSet(owner)
		if !ok {
			refused++
			continue
		}
		_, want := validation.Covers(owner, wanted)
		got, tooMany := set.compare(wanted)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || len(tooMany) > 0 {
			t.Fatalf("seed %d: %v of %v, too many: %v (-library +set):\n%s", seed, wanted, owner, tooMany, diff)
		}
		missing += len(got)
		covered += len(Breakdown(wanted)) - len(got)
	}
	if covered < 100 || missing < 1000 || refused < 100 {
		t.Errorf("%d permissions are covered, %d are missing, %d sets are refused: the test compares little", covered, missing, refused)
	}
	if _, ok := newSingleSet([]rbacv1.PolicyRule{{Verbs: []string{"get"}, NonResourceURLs: []string{"/a"}}}); ok {
		t.Error("a permission on a URL is in a set")
	}
}
