package kube

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Aggregate returns aggregated ClusterRoles the rules that the controller clusterrole-aggregation would, once it has come
// to rest. What is written in such a role is replaced, unless there is nothing to replace it with: the controller applies
// no rules then, and those of another field manager stay. In a circle it depends on the order of events what is left,
// so there nothing may be written. A test holds this beside the controller itself.
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

// sameRules compares rules without their order, which may change for ever in a circle.
func sameRules(a, b []rbacv1.PolicyRule) bool {
	return equality.Semantic.DeepEqual(a, b) || slices.Equal(Texts(a), Texts(b))
}

// gather collects what the selectors of a role select, as the roles are now, without repeating a rule.
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
