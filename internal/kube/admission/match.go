package admission

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// servedVersion is the only version that OLM serves since v1.0.
const servedVersion = "v1"

// concerns reports whether a policy matches resources of a group at all. For an unreadable policy, it is true if it names
// the group.
func (p *policy) concerns(group string) bool {
	if p.problem != nil {
		return bytes.Contains(p.object.Doc.Bytes(), []byte(group))
	}
	m := p.spec.MatchConstraints
	return m != nil && touches(m.ResourceRules, group)
}

func touches(rules []admissionv1.NamedRuleWithOperations, group string) bool {
	return slices.ContainsFunc(rules, func(r admissionv1.NamedRuleWithOperations) bool { return has(r.APIGroups, group) })
}

func has(list []string, value string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, value)
}

// matches reports whether constraints select the whole attempt (Limited), or exclude something (Open), with the reason. As
// in the API server, no namespace selector excludes a cluster-scoped object, and an empty list of rules selects all.
func matches(m *admissionv1.MatchResources, attempt Attempt) (State, string) {
	if selects(m.ObjectSelector) {
		return Open, "excludes objects by their labels (objectSelector), which their author chooses"
	}
	for _, rule := range m.ExcludeResourceRules {
		if state, _ := ruleMatches(rule, attempt); state != Open && namesMatch(rule.ResourceNames, attempt.Name) {
			return Open, "excludes them (excludeResourceRules)"
		}
	}
	if len(m.ResourceRules) == 0 {
		return Limited, ""
	}
	state, why := Open, ""
	for _, rule := range m.ResourceRules {
		switch found, reason := ruleMatches(rule, attempt); {
		case found == Open:
		case found == Limited && len(rule.ResourceNames) > 0 && !slices.Contains(rule.ResourceNames, attempt.Name):
			why = "matches only objects named " + joinList(rule.ResourceNames, "or")
		case found == Limited:
			return Limited, ""
		default:
			state, why = found, reason
		}
	}
	if why == "" {
		why = matchedInstead(m.ResourceRules, attempt)
	}
	return state, why
}

// ruleMatches checks everything but names. It is Unknown if it depends on the versions that the cluster serves.
func ruleMatches(rule admissionv1.NamedRuleWithOperations, attempt Attempt) (State, string) {
	if !has(rule.APIGroups, attempt.Group) || !hasResource(rule.Resources, attempt.Resource) || !hasOperation(rule.Operations, attempt.Operation) {
		return Open, ""
	}
	if scope := deref(rule.Scope); scope == admissionv1.NamespacedScope {
		return Open, ""
	}
	if !has(rule.APIVersions, servedVersion) {
		return Unknown, "matches only version " + joinList(rule.APIVersions, "and") + ", and it is unknown whether the cluster serves that"
	}
	return Limited, ""
}

// hasResource is also true for `clusterextensions/*`: the API server treats the object as one of its subresources.
func hasResource(list []string, resource string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		name, sub, _ := strings.Cut(entry, "/")
		return (name == "*" || name == resource) && (sub == "" || sub == "*")
	})
}

func hasOperation(list []admissionv1.OperationType, operation string) bool {
	return slices.Contains(list, admissionv1.OperationAll) || slices.Contains(list, admissionv1.OperationType(operation))
}

func selects(s *metav1.LabelSelector) bool {
	return s != nil && len(s.MatchLabels)+len(s.MatchExpressions) > 0
}

func namesMatch(names []string, name string) bool {
	return len(names) == 0 || name == "" || slices.Contains(names, name)
}

// matchedInstead describes what rules match instead: another operation on the resource, or other resources.
func matchedInstead(rules []admissionv1.NamedRuleWithOperations, attempt Attempt) string {
	var operations, resources []string
	for _, rule := range rules {
		if !has(rule.APIGroups, attempt.Group) {
			continue
		}
		resources = append(resources, rule.Resources...)
		if hasResource(rule.Resources, attempt.Resource) {
			for _, operation := range rule.Operations {
				operations = append(operations, string(operation))
			}
		}
	}
	seen := resources
	if len(operations) > 0 {
		seen = operations
	}
	slices.Sort(seen)
	return fmt.Sprintf("matches only %s", joinList(slices.Compact(seen), "and"))
}

// joinList joins texts as in a sentence.
func joinList(texts []string, word string) string {
	const most = 5
	if len(texts) > most {
		texts = append(slices.Clone(texts[:most]), fmt.Sprintf("%d more", len(texts)-most))
	}
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " " + word + " " + texts[last]
}
