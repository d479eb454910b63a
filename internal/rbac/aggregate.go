package rbac

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"path"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
)

// clusterRole is a role by its manifest, by what every cluster has under its name, or by both. For both the API server
// adds what is missing when it starts.
type clusterRole struct {
	ref     RoleRef
	object  *inventory.Object
	builtin *rbacv1.ClusterRole
	labels  labels.Set // set in a catalogue
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
func readRole(o *inventory.Object) writtenRole {
	var w writtenRole
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

// catalogue is all ClusterRoles that aggregation may choose from: those of the unit and those that every cluster has.
type catalogue struct {
	all []*clusterRole // sorted by name
	// with are those that have a label, and byKey those that have one of that key.
	with  map[label][]*clusterRole
	byKey map[string][]*clusterRole
	// namesakes tells that the unit has several of one name, so that it matters from where it is looked.
	namesakes bool
}

type label struct{ key, value string }

func (x *index) newCatalogue() *catalogue {
	c := &catalogue{with: map[label][]*clusterRole{}, byKey: map[string][]*clusterRole{}}
	defined := map[string]bool{}
	for _, object := range x.unit.Find(inventory.Query{Group: new(Group), Kind: kindClusterRole}) {
		if object.Name == "" {
			continue
		}
		c.namesakes = c.namesakes || defined[object.Name]
		defined[object.Name] = true
		ref := RoleRef{Kind: kindClusterRole, Name: object.Name}
		c.all = append(c.all, &clusterRole{ref: ref, object: object, builtin: builtinFor(ref, object)})
	}
	for name, builtin := range builtinRoles() {
		if !defined[name] {
			c.all = append(c.all, &clusterRole{ref: RoleRef{Kind: kindClusterRole, Name: name}, builtin: builtin})
		}
	}
	slices.SortStableFunc(c.all, func(a, b *clusterRole) int { return cmp.Compare(a.ref.Name, b.ref.Name) })
	for _, role := range c.all {
		role.labels = role.readLabels()
		for key, value := range role.labels {
			c.with[label{key, value}] = append(c.with[label{key, value}], role)
			c.byKey[key] = append(c.byKey[key], role)
		}
	}
	return c
}

// matching lists the roles that a selector chooses, sorted by name.
func (x *index) matching(selector labels.Selector) []*clusterRole {
	return x.selected.get(selector.String(), func() []*clusterRole {
		var chosen []*clusterRole
		for _, role := range x.catalogue().candidates(selector) {
			if selector.Matches(role.labels) {
				chosen = append(chosen, role)
			}
		}
		return chosen
	})
}

// candidates narrows the roles down to those that have a label which the selector asks for, if it asks for any.
func (c *catalogue) candidates(selector labels.Selector) []*clusterRole {
	requirements, _ := selector.Requirements()
	fewest := c.all
	for _, r := range requirements {
		found := c.all
		switch values := r.Values().UnsortedList(); r.Operator() {
		case selection.Equals, selection.In:
			found = c.byKey[r.Key()]
			if len(values) == 1 {
				found = c.with[label{r.Key(), values[0]}]
			}
		case selection.Exists:
			found = c.byKey[r.Key()]
		}
		if len(found) < len(fewest) {
			fewest = found
		}
	}
	return fewest
}

// aggregation is a question: what is an aggregated role put together from, as seen from a folder? The folder is "" when
// it does not matter.
type aggregation struct {
	role   string
	object *inventory.Object
	folder string
}

// aggregated gives what the controller fills a role with in the end: the rules of all roles that its selectors choose,
// and of those that these are put together from. Roles in a circle add nothing to one another.
func (x *index) aggregated(role clusterRole, near *inventory.Object) roleRules {
	question := aggregation{role: role.ref.Name, object: role.object}
	if near != nil && x.unit.Kind == inventory.PlainUnit && x.catalogue().namesakes {
		question.folder = path.Dir(near.File)
	}
	return x.aggregate.get(question, func() roleRules {
		f := filler{index: x, near: near, filled: map[string]bool{}, seen: map[string]bool{}}
		f.result.partial = true
		f.visit(role)
		f.result.unknown = sortRefs(f.result.unknown)
		return f.result
	})
}

// filler walks from an aggregated role to those that fill it.
type filler struct {
	index  *index
	near   *inventory.Object
	result roleRules
	filled map[string]bool // the roles visited, by name: whether they have rules
	seen   map[string]bool // rules, by key
}

// visit adds what a role comes to, and tells whether that is any rule, or may be.
func (f *filler) visit(role clusterRole) bool {
	if filled, visited := f.filled[role.ref.Name]; visited {
		return filled
	}
	f.filled[role.ref.Name] = false // until it is known: in a circle, what asks again gets nothing
	filled := f.fill(role)
	f.filled[role.ref.Name] = filled
	return filled
}

func (f *filler) fill(role clusterRole) bool {
	written, err := role.read(f.index)
	if err != nil {
		f.result.unknown = append(f.result.unknown, role.ref)
		f.add(role, role.builtinRules())
		return true
	}
	if !written.aggregated() {
		return f.add(role, written.rules)
	}
	filled := false
	for _, selector := range written.selectors {
		for _, chosen := range f.index.matching(selector) {
			filled = f.choose(*chosen) || filled
		}
	}
	if filled {
		return true
	}
	// Of no rules the controller makes an apply without the field, which takes nothing away from who wrote it.
	return f.add(role, written.rules)
}

// choose takes a role that a selector chooses, unless a namesake of it is meant.
func (f *filler) choose(role clusterRole) bool {
	if _, visited := f.filled[role.ref.Name]; role.object != nil && !visited {
		meant, tie := f.index.roles.find(f.near, role.ref)
		if slices.Contains(tie, role.object) {
			f.result.unknown = append(f.result.unknown, role.ref)
			return true
		}
		if meant != role.object {
			return false
		}
	}
	return f.visit(role)
}

func (f *filler) add(role clusterRole, rules []rbacv1.PolicyRule) bool {
	for _, rule := range rules {
		if key := ruleKey(rule); !f.seen[key] {
			f.seen[key] = true
			f.result.rules = append(f.result.rules, rule)
			f.result.givers = append(f.result.givers, Giver{role.ref, role.object})
		}
	}
	return len(rules) > 0
}
