package preflight

import (
	"cmp"
	"encoding/json"
	"maps"
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

// readRole reads a role as the API server does. It drops unknown fields, such as a misspelled `resource`, after which the rule
// grants less; the first one is returned as a note, because users cannot change the roles of a third party.
func readRole(o *rendered.Object) (r *role, note string, err error) {
	var written struct {
		Metadata struct {
			Labels map[string]string `json:"labels"`
		} `json:"metadata"`
		AggregationRule *rbacv1.AggregationRule `json:"aggregationRule"`
	}
	if err := decode(o, o.JSON, &written); err != nil {
		return nil, "", err
	}
	r = &role{object: o, labels: written.Metadata.Labels}
	if err := decode(o, o.JSON["rules"], &r.rules); err != nil {
		return nil, "", err
	}
	note = cmp.Or(oldVersion(o), unknownField(o))
	r.granted = r.rules
	if written.AggregationRule == nil || o.Kind() != "ClusterRole" {
		return r, note, nil
	}
	for i := range written.AggregationRule.ClusterRoleSelectors {
		selector, err := metav1.LabelSelectorAsSelector(&written.AggregationRule.ClusterRoleSelectors[i])
		if err != nil {
			return nil, "", fault(o, "ClusterRole %s: aggregationRule.clusterRoleSelectors[%d]: %v", o.Name(), i, err)
		}
		r.collects = append(r.collects, selector)
	}
	return r, note, nil
}

// ruleFields are the fields of a rule.
var ruleFields = []string{"apiGroups", "nonResourceURLs", "resourceNames", "resources", "verbs"}

// IsRuleField reports whether a rule has a field of this name. JSON's decoder compares names without regard to case.
func IsRuleField(name string) bool {
	return slices.ContainsFunc(ruleFields, func(known string) bool { return strings.EqualFold(known, name) })
}

// servedVersion is the API version of roles and bindings. Kubernetes 1.22 removed the others, which have the same fields.
const servedVersion = rbac.Group + "/v1"

// oldVersion returns a note about a role in a version that the API server does not have.
func oldVersion(o *rendered.Object) string {
	version, _ := o.JSON["apiVersion"].(string)
	if version == servedVersion {
		return ""
	}
	return fault(o, "%s %s has the API version %s, which Kubernetes 1.22 removed, so the API server rejects it: its permissions were read as those of %s",
		o.Kind(), o.Name(), version, servedVersion).Error()
}

// unknownField returns a note about the first field of the rules that the API server does not know.
func unknownField(o *rendered.Object) string {
	rules, _ := o.JSON["rules"].([]any)
	for i, rule := range rules {
		fields, _ := rule.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			if !IsRuleField(name) {
				return fault(o, "%s %s has the unknown field rules[%d].%s: its permissions were read without it, and the API server drops it or rejects the object",
					o.Kind(), o.Name(), i, name).Error()
			}
		}
	}
	return ""
}

// decode reads a part of an object into an API type.
func decode(o *rendered.Object, value, into any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fault(o, "%s %s: %v", o.Kind(), o.Name(), err)
	}
	if err := json.Unmarshal(data, into); err != nil {
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
	if err := decode(o, o.JSON["roleRef"], &written); err != nil {
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
