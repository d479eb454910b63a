package rbac

import (
	"fmt"
	"slices"
	"strconv"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Rules reads the rules of a Role or ClusterRole. Missing or null `rules` are no rules; empty resourceNames stand for all
// names. The error describes content that the API server would not read as a list of rules, with its position.
//
// Rules of an aggregated ClusterRole are returned as written, although the API server replaces them; see EffectiveRules.
func Rules(role *objects.Object) ([]rbacv1.PolicyRule, error) {
	value := role.JSON()["rules"]
	if value == nil {
		return nil, nil
	}
	list, ok := value.([]any)
	if !ok {
		return nil, malformed(role, manifest.Path{"rules"}, "rules is not a list")
	}
	rules := make([]rbacv1.PolicyRule, len(list))
	for i, item := range list {
		if err := readRule(role, manifest.Path{"rules", strconv.Itoa(i)}, item, &rules[i]); err != nil {
			return nil, err
		}
	}
	return rules, nil
}

func readRule(role *objects.Object, path manifest.Path, item any, rule *rbacv1.PolicyRule) error {
	fields, ok := item.(map[string]any)
	if !ok {
		return malformed(role, path, "a rule must be a mapping with verbs and resources")
	}
	into := map[string]*[]string{
		"verbs": &rule.Verbs, "apiGroups": &rule.APIGroups, "resources": &rule.Resources,
		"resourceNames": &rule.ResourceNames, "nonResourceURLs": &rule.NonResourceURLs,
	}
	for _, name := range sortedKeys(fields) {
		target, known := into[name]
		if !known {
			return malformed(role, path.Join(name), fmt.Sprintf(
				"unknown field %q: a rule has verbs, apiGroups, resources, resourceNames, and nonResourceURLs", name))
		}
		list, ok := stringsOf(fields[name])
		if !ok {
			return malformed(role, path.Join(name), name+" is not a list of strings")
		}
		*target = list
	}
	return nil
}

// sortedKeys makes the order of errors deterministic.
func sortedKeys(fields map[string]any) []string {
	keys := make([]string, 0, len(fields))
	for key := range fields {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func stringsOf(value any) ([]string, bool) {
	if value == nil {
		return nil, true
	}
	list, ok := value.([]any)
	if !ok {
		return nil, false
	}
	var texts []string
	for _, item := range list {
		text, ok := item.(string)
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}

func malformed(role *objects.Object, path manifest.Path, message string) error {
	return &MalformedError{Role: role, Position: role.Position(path), Reason: message}
}

// MalformedError describes why a role cannot be read, or why the API server would refuse it.
type MalformedError struct {
	Role     *objects.Object
	Position objects.Position
	Reason   string
}

func (e *MalformedError) Error() string {
	return fmt.Sprintf("%s: %s %q: %s", e.Position, e.Role.Kind, e.Role.Name, e.Reason)
}
