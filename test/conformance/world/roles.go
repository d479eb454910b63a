package world

import (
	"fmt"
	"strings"
)

// object is a manifest before it is written: its fields in the order in which they are to stand.
type object []field

type field struct {
	name  string
	value any // string, []string, object or []object
}

func (w *World) roles() {
	for _, name := range roleNames {
		if w.Chance(4) {
			continue
		}
		w.add(w.header("ClusterRole", "", name, w.labels(3)), object{{"rules", w.rules(true)}})
	}
	for _, namespace := range namespaces {
		for _, name := range w.some(0, 3, roleNames) {
			if w.taken("Role", namespace, name) {
				continue
			}
			w.add(w.header("Role", namespace, name, nil), object{{"rules", w.rules(false)}})
		}
	}
	if w.Options.Aggregated {
		w.aggregated()
	}
	if w.Options.Builtin && w.Chance(2) {
		labels := object{{"rbac.authorization.k8s.io/aggregate-to-" + w.pick(builtinRoles[1:]), "true"}}
		w.add(w.header("ClusterRole", "", "more-for-builtin", labels), object{{"rules", w.rules(true)}})
	}
}

// taken reports whether a document with the identity already exists: an API server has one object of a name.
func (w *World) taken(kind, namespace, name string) bool {
	prefix := identity(kind, namespace, name)
	for _, doc := range w.docs {
		if strings.HasPrefix(doc, prefix) {
			return true
		}
	}
	return false
}

// identity is the comment every document begins with.
func identity(kind, namespace, name string) string {
	return fmt.Sprintf("# %s %s/%s\n", kind, namespace, name)
}

// aggregated adds ClusterRoles whose rules the cluster gathers from others. One of them may gather from another: without
// circles only from those with a higher number. They also have rules that are replaced.
func (w *World) aggregated() {
	const roles = 4
	circles := w.Options.Circles && w.Chance(2)
	for i := range roles {
		if w.Chance(4) {
			continue
		}
		labels := object{}
		for j := range roles {
			if j != i && (j < i || circles) && w.Chance(3) {
				labels = append(labels, field{fmt.Sprintf("example.com/aggregate-to-%d", j), "true"})
			}
		}
		selectors := []object{{{"matchLabels", object{{fmt.Sprintf("example.com/aggregate-to-%d", i), "true"}}}}}
		for range w.random.IntN(3) {
			selectors = append(selectors, w.selector())
		}
		body := object{{"aggregationRule", object{{"clusterRoleSelectors", selectors}}}}
		if !circles && w.Chance(3) {
			body = append(body, field{"rules", w.rules(true)})
		}
		w.add(w.header("ClusterRole", "", fmt.Sprintf("aggregated-%d", i), labels), body)
	}
	for i := range roles {
		if w.Chance(3) {
			continue
		}
		labels := append(w.labels(1), field{fmt.Sprintf("example.com/aggregate-to-%d", i), w.pick([]string{"true", "false"})})
		w.add(w.header("ClusterRole", "", fmt.Sprintf("part-%d", i), labels), object{{"rules", w.rules(true)}})
	}
}

// selector selects among the labels of the roles that are not aggregated themselves.
func (w *World) selector() object {
	labels := field{"matchLabels", object{{w.pick(labelKeys), w.pick(labelValues)}}}
	if w.Chance(3) {
		return object{labels}
	}
	operator := w.pick([]string{"In", "NotIn", "Exists", "DoesNotExist"})
	expression := object{{"key", w.pick(labelKeys)}, {"operator", operator}}
	if operator == "In" || operator == "NotIn" {
		expression = append(expression, field{"values", w.some(1, 2, labelValues)})
	}
	// Roles that are aggregated have none of these labels, so one that is to be absent would mean them, and so all.
	part := object{{"key", "example.com/part"}, {"operator", "Exists"}}
	expressions := field{"matchExpressions", []object{expression, part}}
	if w.Chance(2) {
		return object{expressions}
	}
	return object{labels, expressions}
}

// labels of a role, none in one of n cases.
func (w *World) labels(n int) object {
	if n > 1 && w.Chance(n) {
		return nil
	}
	labels := object{{"example.com/part", ""}}
	for _, key := range labelKeys {
		if w.Chance(2) {
			labels = append(labels, field{key, w.pick(labelValues)})
		}
	}
	return labels
}

// rules are those of a role; rules about URLs are for ClusterRoles alone.
func (w *World) rules(urlsToo bool) []object {
	rules := make([]object, w.random.IntN(4))
	for i := range rules {
		rules[i] = w.rule(urlsToo)
	}
	return rules
}

// rule makes up a rule and remembers it for the questions.
func (w *World) rule(urlsToo bool) object {
	rule := w.newRule(urlsToo)
	w.made = append(w.made, rule)
	return rule
}

func (w *World) newRule(urlsToo bool) object {
	if w.Options.Refused && w.Chance(12) {
		return w.oddRule()
	}
	if urlsToo && w.Chance(4) {
		return object{{"nonResourceURLs", w.some(1, 3, urls)}, {"verbs", w.some(1, 3, verbs)}}
	}
	rule := object{{"apiGroups", w.some(1, 2, apiGroups)}, {"resources", w.some(1, 3, resources)}}
	switch w.random.IntN(6) {
	case 0, 1:
		rule = append(rule, field{"resourceNames", w.some(1, 3, objectNames)})
	case 2:
		rule = append(rule, field{"resourceNames", []string{}})
	}
	return append(rule, field{"verbs", w.some(1, 4, verbs)})
}

// oddRule is one that validation refuses.
func (w *World) oddRule() object {
	all := object{
		{"apiGroups", w.some(1, 2, apiGroups)}, {"resources", w.some(1, 3, resources)},
		{"nonResourceURLs", w.some(1, 2, urls)}, {"verbs", w.some(1, 3, verbs)},
	}
	var rule object
	for _, f := range all {
		switch w.random.IntN(4) {
		case 0:
			continue
		case 1:
			f.value = []string{}
		}
		rule = append(rule, f)
	}
	return rule
}
