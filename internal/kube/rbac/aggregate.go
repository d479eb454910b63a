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

// clusterRole is a role by its manifest, by what every cluster has under its name, or by both. For both the API server
// adds what is missing when it starts.
type clusterRole struct {
	ref     RoleRef
	object  *objects.Object
	builtin *rbacv1.ClusterRole
	// These are set in a catalog.
	labels labels.Set
	place  int
}

// writtenRole is what a role says of itself.
type writtenRole struct {
	rules     []rbacv1.PolicyRule
	selectors []labels.Selector
	err       error
}

// aggregated tells that the role is filled by a controller (clusterrole-aggregation-controller), which overwrites the rules
// that are written beside the selectors, unless it has none to put in their place.
func (w writtenRole) aggregated() bool { return len(w.selectors) > 0 }

// read puts together what the manifest and the API server say. It is an error when the manifest would be refused.
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
		// The API server takes an aggregation away from its own roles that have none.
		w.selectors = nil
	}
	w.rules, w.selectors = slices.Concat(r.builtin.Rules, w.rules), slices.Concat(own, w.selectors)
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

// readRole reads a Role or ClusterRole as the API server would take it.
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
		return nil, errors.New("an aggregationRule is a mapping with clusterRoleSelectors, a list of label selectors")
	}
	if len(rule.ClusterRoleSelectors) == 0 {
		return nil, errors.New("an aggregationRule needs at least one of clusterRoleSelectors")
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
