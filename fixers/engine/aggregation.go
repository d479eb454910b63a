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
func (r *Repository) AggregatedBy(role *objects.Object) string {
	labels := role.Node.Lookup(manifest.Path{"metadata", "labels"})
	if role.Kind != "ClusterRole" || !labels.IsMapping() {
		return ""
	}
	for _, field := range labels.Fields() {
		if to, ok := strings.CutPrefix(field.Key.String(), aggregateLabel); ok {
			return fmt.Sprintf("its label %s aggregates it into ClusterRole %s", field.Key.String(), to)
		}
	}
	for _, other := range r.aggregatingRoles() {
		if mayAggregate(other.JSON(), labels) {
			return fmt.Sprintf("%s at %s aggregates it", NameOf(other), other.Position(nil))
		}
	}
	return ""
}

// aggregatingRoles returns the ClusterRoles of the repository that have an aggregationRule.
func (r *Repository) aggregatingRoles() []*objects.Object {
	if r.aggregators == nil {
		r.aggregators = []*objects.Object{}
		group := rbac.Group
		for _, unit := range r.Units {
			for _, o := range unit.Find(objects.Query{Group: &group, Kind: "ClusterRole"}) {
				if o.Node.Get("aggregationRule").IsMapping() {
					r.aggregators = append(r.aggregators, o)
				}
			}
		}
	}
	return r.aggregators
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
