package kube

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Aggregate sets the rules of aggregated ClusterRoles to those that the controller clusterrole-aggregation finally sets.
// Rules written in such a role are replaced, unless there is nothing to replace them with: the controller then applies no
// rules, and those of another field manager stay. In a cycle the result depends on the order of events, so no rules must be
// written there. A test compares this with the controller itself.
func (c *Cluster) Aggregate() error {
	slices.SortFunc(c.ClusterRoles, func(a, b *rbacv1.ClusterRole) int { return strings.Compare(a.Name, b.Name) })
	for changed := true; changed; {
		changed = false
		for _, role := range c.ClusterRoles {
			if role.AggregationRule == nil {
				continue
			}
			rules, err := c.gather(role)
			if err != nil {
				return err
			}
			if len(rules) > 0 && !sameRules(rules, role.Rules) {
				role.Rules, changed = rules, true
			}
		}
	}
	return nil
}

// sameRules compares rules without their order, which can change forever in a cycle.
func sameRules(a, b []rbacv1.PolicyRule) bool {
	return equality.Semantic.DeepEqual(a, b) || slices.Equal(Texts(a), Texts(b))
}

// gather collects the rules that the selectors of a role select, as the roles are now, without duplicates.
func (c *Cluster) gather(role *rbacv1.ClusterRole) ([]rbacv1.PolicyRule, error) {
	var rules []rbacv1.PolicyRule
	seen := map[string]bool{}
	for i := range role.AggregationRule.ClusterRoleSelectors {
		selector, err := metav1.LabelSelectorAsSelector(&role.AggregationRule.ClusterRoleSelectors[i])
		if err != nil {
			return nil, err
		}
		for _, other := range c.ClusterRoles {
			if other.Name == role.Name || !selector.Matches(labels.Set(other.Labels)) {
				continue
			}
			for _, rule := range other.Rules {
				if key := text(rule); !seen[key] {
					seen[key] = true
					rules = append(rules, rule)
				}
			}
		}
	}
	return rules, nil
}
