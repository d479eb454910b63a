package preflight

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rendered"
)

// role is a Role or ClusterRole among the objects.
type role struct {
	object *rendered.Object
	rules  []rbacv1.PolicyRule
	// collects are the selectors of an aggregationRule.
	collects []labels.Selector
	labels   labels.Set
	// granted are its rules, and those that it aggregates from its own version.
	granted []rbacv1.PolicyRule
}

// aggregates reports whether the role aggregates others. An aggregationRule without selectors aggregates none.
func (r *role) aggregates() bool { return len(r.collects) > 0 }

// readRole reads a role as the API server does, except that unknown fields are errors: the API server would drop a
// misspelled `resource`, and the rule would grant nothing.
func readRole(o *rendered.Object) (*role, error) {
	var written struct {
		Metadata struct {
			Labels map[string]string `json:"labels"`
		} `json:"metadata"`
		AggregationRule *rbacv1.AggregationRule `json:"aggregationRule"`
	}
	if err := decode(o, o.JSON, &written, false); err != nil {
		return nil, err
	}
	r := &role{object: o, labels: written.Metadata.Labels}
	if err := decode(o, o.JSON["rules"], &r.rules, true); err != nil {
		return nil, err
	}
	r.granted = r.rules
	if written.AggregationRule == nil || o.Kind() != "ClusterRole" {
		return r, nil
	}
	for i := range written.AggregationRule.ClusterRoleSelectors {
		selector, err := metav1.LabelSelectorAsSelector(&written.AggregationRule.ClusterRoleSelectors[i])
		if err != nil {
			return nil, fault(o, "ClusterRole %s: aggregationRule.clusterRoleSelectors[%d]: %v", o.Name(), i, err)
		}
		r.collects = append(r.collects, selector)
	}
	return r, nil
}

// decode reads a part of an object into an API type.
func decode(o *rendered.Object, value, into any, strict bool) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fault(o, "%s %s: %v", o.Kind(), o.Name(), err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	if strict {
		decoder.DisallowUnknownFields()
	}
	if err := decoder.Decode(into); err != nil {
		return fault(o, "%s %s is invalid: %v", o.Kind(), o.Name(), err)
	}
	return nil
}

// aggregate adds the aggregated rules of roles of the same version. One level is sufficient for bundles; in other cases the
// permission to escalate cluster-wide decides, because creating such a role requires all permissions.
func aggregate(all map[rbac.RoleRef]*role) error {
	var sources, collectors []*role
	for ref, r := range all {
		if ref.Kind == "ClusterRole" && len(r.labels) > 0 {
			sources = append(sources, r)
		}
		if r.aggregates() {
			collectors = append(collectors, r)
		}
	}
	if len(sources)*len(collectors) > maxAggregations {
		return fault(collectors[0].object, "too many aggregated ClusterRoles: %d aggregate the rules of %d others",
			len(collectors), len(sources))
	}
	byName := func(a, b *role) int { return strings.Compare(a.object.Name(), b.object.Name()) }
	slices.SortFunc(sources, byName)
	for _, collector := range collectors {
		collector.granted = nil
		for _, source := range sources {
			if source != collector && collector.matches(source.labels) {
				collector.granted = append(collector.granted, source.rules...)
			}
		}
	}
	return nil
}

// maxAggregations limits the pairs of ClusterRoles that are compared; bundles contain only a few.
const maxAggregations = 1_000_000

func (r *role) matches(set labels.Set) bool {
	return slices.ContainsFunc(r.collects, func(s labels.Selector) bool { return s.Matches(set) })
}

// readRoleRef reads the role of a binding.
func readRoleRef(a applied) (rbac.RoleRef, error) {
	o := a.object
	var written rbacv1.RoleRef
	if err := decode(o, o.JSON["roleRef"], &written, false); err != nil {
		return rbac.RoleRef{}, err
	}
	ref := rbac.RoleRef{Kind: written.Kind, Name: written.Name}
	switch {
	case ref.Name == "" || !isRole(ref.Kind):
		return ref, fault(o, "the roleRef of %s %s is not a Role or ClusterRole", o.Kind(), o.Name())
	case ref.Kind == "Role" && a.namespace == "":
		return ref, fault(o, "the roleRef of ClusterRoleBinding %s is a Role, but the API server requires a ClusterRole", o.Name())
	case ref.Kind == "Role":
		ref.Namespace = a.namespace
	}
	return ref, nil
}
