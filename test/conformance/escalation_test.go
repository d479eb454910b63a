package conformance_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	rbachelpers "k8s.io/kubernetes/pkg/apis/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac/policyrules"
	"github.com/salint/salint/test/conformance/kube"
	"github.com/salint/salint/test/conformance/salint"
	"github.com/salint/salint/test/conformance/world"
)

// TestEscalation asks whether an identity is allowed to grant the rules of roles of the world, and which of them it lacks,
// for some of all combinations.
func TestEscalation(t *testing.T) {
	t.Parallel()
	forWorlds(t, everything, func(docs []string, w *world.World) (string, error) {
		u, c, err := sides(docs, w)
		if err != nil {
			return "", err
		}
		authorizer := c.Authorizer()
		for _, who := range w.Identities() {
			effective := salint.Effective(u, who)
			for _, namespace := range w.Namespaces() {
				for _, wanted := range wantedRules(c) {
					if !w.Chance(12) {
						continue
					}
					refused := authorizer.MayGrant(who, namespace, wanted)
					held := effective.In(namespace)
					if d := compareEscalation(refused, held, wanted); d != "" {
						return fmt.Sprintf("%+v grants in %q\n%s\n%s", who, namespace, strings.Join(kube.Texts(wanted), "\n"), d), nil
					}
				}
			}
		}
		return "", nil
	})
}

// wantedRules returns the rules of each role that the world generated.
func wantedRules(c *kube.Cluster) [][]rbacv1.PolicyRule {
	byName := map[string][]rbacv1.PolicyRule{}
	for _, role := range c.ClusterRoles {
		if role.Annotations[rbacv1.AutoUpdateAnnotationKey] == "" {
			byName[role.Name] = role.Rules
		}
	}
	for _, role := range c.Roles {
		byName[role.Namespace+"/"+role.Name] = role.Rules
	}
	var all [][]rbacv1.PolicyRule
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all = append(all, byName[name])
	}
	return all
}

// missingLine is a line of the API server's message that names a rule.
var missingLine = regexp.MustCompile(`(?m)^\{.*?\}`)

func compareEscalation(refused error, held, wanted []rbacv1.PolicyRule) string {
	covered, _ := policyrules.Covers(held, wanted)
	missing := policyrules.Missing(held, wanted)
	if covered != (refused == nil) || covered != (len(missing) == 0) {
		return fmt.Sprintf("Kubernetes: %v\nsalint:     covered %t, missing %v", refused, covered, missing)
	}
	if covered {
		return ""
	}
	// The message lists verbs in no order and with duplicates, so both sides are written with sorted verbs.
	var ours []string
	for _, rule := range policyrules.Compact(missing) {
		ours = append(ours, rbachelpers.CompactString(rule))
	}
	theirs := missingLine.FindAllString(refused.Error(), -1)
	return cmp.Diff(sortedVerbs(theirs), sortedVerbs(ours))
}

var verbList = regexp.MustCompile(`Verbs:\[([^\]]*)\]`)

// sortedVerbs sorts the verbs in written rules, removes duplicates and those that a wildcard includes, and sorts the rules.
func sortedVerbs(rules []string) []string {
	sorted := make([]string, len(rules))
	for i, rule := range rules {
		sorted[i] = verbList.ReplaceAllStringFunc(rule, func(list string) string {
			verbs := strings.Fields(verbList.FindStringSubmatch(list)[1])
			if slices.Contains(verbs, `"*"`) {
				verbs = []string{`"*"`}
			}
			slices.Sort(verbs)
			return "Verbs:[" + strings.Join(slices.Compact(verbs), " ") + "]"
		})
	}
	slices.Sort(sorted)
	return slices.Compact(sorted)
}
