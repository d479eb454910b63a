package rbac

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// clusterRole is a role defined by its manifest, by a default role of every cluster, or by both. For both the API server
// adds what is missing when it starts.
type clusterRole struct {
	ref     RoleRef
	object  *objects.Object
	builtin *rbacv1.ClusterRole
	// These are set in a catalog.
	labels labels.Set
	place  int
}

// writtenRole is the content of a role's manifest.
type writtenRole struct {
	rules     []rbacv1.PolicyRule
	selectors []labels.Selector
	err       error
}

// aggregated reports whether a controller (clusterrole-aggregation-controller) sets the role's rules. It replaces the rules
// that are written next to the selectors, unless the selectors yield none.
func (w writtenRole) aggregated() bool { return len(w.selectors) > 0 }

// read combines the manifest and the default role. It returns an error if the API server would refuse the manifest.
func (r clusterRole) read(x *index) (writtenRole, error) {
	var w writtenRole
	if r.object != nil {
		w = x.written.get(r.object, func() writtenRole { return readRole(r.object) })
	}
	if r.builtin == nil || w.err != nil {
		return w, w.err
	}
	own, err := readAggregation(r.builtin.AggregationRule)
	if r.builtin.AggregationRule == nil {
		// The API server removes an aggregation from its own roles that have none.
		w.selectors = nil
	}
	w.selectors = slices.Concat(own, w.selectors)
	if len(w.rules) == 0 {
		w.rules = slices.Clip(r.builtin.Rules) // shared by all bindings of the role
	} else {
		w.rules = slices.Concat(r.builtin.Rules, w.rules)
	}
	return w, err
}

func (r clusterRole) builtinRules() []rbacv1.PolicyRule {
	if r.builtin == nil {
		return nil
	}
	return r.builtin.Rules
}

func (r clusterRole) readLabels() labels.Set {
	set := labels.Set{}
	if r.builtin != nil {
		maps.Copy(set, r.builtin.Labels)
	}
	if r.object != nil {
		maps.Copy(set, stringsIn(r.object, "labels"))
	}
	return set
}

// Selects reports whether a ClusterRole aggregates another by its labels.
func Selects(aggregated, role *objects.Object) bool {
	set := labels.Set(stringsIn(role, "labels"))
	return slices.ContainsFunc(readRole(aggregated).selectors, func(s labels.Selector) bool { return s.Matches(set) })
}

// readRole reads a Role or ClusterRole as the API server does.
func readRole(o *objects.Object) writtenRole {
	var w writtenRole
	if w.err = checkHead(o); w.err != nil {
		return w
	}
	if w.rules, w.err = Rules(o); w.err != nil {
		return w
	}
	if w.err = checkRules(o, w.rules); w.err != nil || o.Kind != kindClusterRole {
		return w
	}
	value := o.JSON()["aggregationRule"]
	if value == nil {
		return w
	}
	rule, err := decodeAggregation(value)
	if err == nil {
		w.selectors, err = readAggregation(rule)
	}
	if err != nil {
		w.err = malformed(o, manifest.Path{"aggregationRule"}, err.Error())
	}
	return w
}

func decodeAggregation(value any) (*rbacv1.AggregationRule, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var rule rbacv1.AggregationRule
	if err := decoder.Decode(&rule); err != nil {
		return nil, errors.New("aggregationRule must be a mapping with clusterRoleSelectors, a list of label selectors")
	}
	if len(rule.ClusterRoleSelectors) == 0 {
		return nil, errors.New("aggregationRule.clusterRoleSelectors must not be empty")
	}
	return &rule, nil
}

func readAggregation(rule *rbacv1.AggregationRule) ([]labels.Selector, error) {
	if rule == nil {
		return nil, nil
	}
	var selectors []labels.Selector
	for i := range rule.ClusterRoleSelectors {
		selector, err := metav1.LabelSelectorAsSelector(&rule.ClusterRoleSelectors[i])
		if err != nil {
			return nil, err
		}
		selectors = append(selectors, selector)
	}
	return selectors, nil
}
