package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// aggregateLabel begins the labels that aggregate the rules of a role into one of Kubernetes' own roles.
const aggregateLabel = "rbac.authorization.k8s.io/aggregate-to-"

// AggregatedBy returns which role aggregates the rules of another by its labels; "" if none does. Kubernetes' own aggregating
// roles are in no repository.
func (c *Context) AggregatedBy(role *objects.Object) string {
	labels := role.Node.Lookup(manifest.Path{"metadata", "labels"})
	if role.Kind != "ClusterRole" || !labels.IsMapping() {
		return ""
	}
	for _, field := range labels.Fields() {
		if to, ok := strings.CutPrefix(field.Key.String(), aggregateLabel); ok {
			return fmt.Sprintf("its label %s aggregates it into ClusterRole %s", field.Key.String(), to)
		}
	}
	for _, other := range Memo(c, newAggregatingRoles) {
		if mayAggregate(other.JSON(), labels) {
			return fmt.Sprintf("%s at %s aggregates it", NameOf(other), other.Position(nil))
		}
	}
	return ""
}

// aggregatingRoles are the ClusterRoles of the repository that have an aggregationRule.
type aggregatingRoles []*objects.Object

func newAggregatingRoles(c *Context) aggregatingRoles {
	var all aggregatingRoles
	group := rbac.Group
	for _, unit := range c.Repo.Units {
		for _, o := range unit.Find(objects.Query{Group: &group, Kind: "ClusterRole"}) {
			if o.Node.Get("aggregationRule").IsMapping() {
				all = append(all, o)
			}
		}
	}
	return all
}

// mayAggregate reports whether the aggregation rule of a role may select labels. A selector with expressions may select any
// labels.
func mayAggregate(role map[string]any, labels *manifest.Node) bool {
	rule, _ := role["aggregationRule"].(map[string]any)
	selectors, _ := rule["clusterRoleSelectors"].([]any)
	return slices.ContainsFunc(selectors, func(s any) bool {
		selector, _ := s.(map[string]any)
		if selector["matchExpressions"] != nil {
			return true
		}
		match, _ := selector["matchLabels"].(map[string]any)
		for key, value := range match {
			if labels.Get(key).String() != value {
				return false
			}
		}
		return true
	})
}
