package conformance_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/component-helpers/auth/rbac/validation"
	registry "k8s.io/kubernetes/pkg/registry/rbac/validation"

	"github.com/salint/salint/internal/kube/rbac/policyrules"
	"github.com/salint/salint/test/conformance/kube"
	"github.com/salint/salint/test/conformance/world"
)

// TestCompact compares compacted rules: those of all roles of a world as written, and as single permissions.
func TestCompact(t *testing.T) {
	t.Parallel()
	forWorlds(t, everything, func(docs []string, w *world.World) (string, error) {
		c, err := cluster(docs, w)
		if err != nil {
			return "", err
		}
		var written, single []rbacv1.PolicyRule
		for _, rules := range wantedRules(c) {
			written = append(written, rules...)
		}
		for _, rule := range written {
			single = append(single, validation.BreakdownRule(rule)...)
		}
		if diff := kube.Diff(single, policyrules.Breakdown(written)); diff != "" {
			return "single permissions " + diff, nil
		}
		for _, rules := range [][]rbacv1.PolicyRule{written, single} {
			compacted, err := registry.CompactRules(rules)
			if err != nil {
				return "", err
			}
			if diff := cmp.Diff(printed(compacted), printed(policyrules.Compact(rules))); diff != "" {
				return "compacted rules (- Kubernetes, + salint)\n" + diff, nil
			}
		}
		return "", nil
	})
}

// printed formats rules in the order of their text, with sorted verbs and without duplicates: this is how
// operator-controller prints the result of CompactRules.
func printed(rules []rbacv1.PolicyRule) []string {
	texts := make([]string, len(rules))
	for i, rule := range rules {
		verbs := slices.Compact(slices.Sorted(slices.Values(rule.Verbs)))
		if slices.Contains(verbs, rbacv1.VerbAll) {
			verbs = []string{rbacv1.VerbAll}
		}
		texts[i] = fmt.Sprintf("%q %q %q %q %q", verbs, rule.APIGroups, rule.Resources, rule.ResourceNames, rule.NonResourceURLs)
	}
	slices.Sort(texts)
	return texts
}
