package kube

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/rbac"
)

// bootstrapping is a label that every one of these roles has.
const bootstrapping = "kubernetes.io/bootstrapping"

// RolesFile is the file of Kubernetes' source with the ClusterRoles that its bootstrap policy has if no feature gate is set.
const RolesFile = "plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata/cluster-roles.yaml"

// BuiltinJSON writes the ClusterRoles of the bootstrap policies, not aggregated, as a list: a line for each role and each of
// its rules, without the fields that all of them have. It takes the content of RolesFile for each version from
// kubeversion.Oldest to kubeversion.Newest. The roles and rules of the oldest version come first. What a later version adds has
// the field since. The error reports a version that removes something, because the list cannot express that.
func BuiltinJSON(files map[kubeversion.Version][]byte) ([]byte, error) {
	known := map[string]*builtinRole{}
	for version := kubeversion.Oldest; version <= kubeversion.Newest; version++ {
		var list rbacv1.ClusterRoleList
		if err := yaml.Unmarshal(files[version], &list); err != nil {
			return nil, fmt.Errorf("the roles of Kubernetes %s: %w", version, err)
		}
		seen := map[string]bool{}
		for i := range list.Items {
			seen[list.Items[i].Name] = true
			if err := addRole(known, list.Items[i], version); err != nil {
				return nil, err
			}
		}
		for name := range known {
			if !seen[name] {
				return nil, fmt.Errorf("kubernetes %s has no role %s, which an older version has", version, name)
			}
		}
	}
	var texts [][]byte
	for _, name := range slices.Sorted(maps.Keys(known)) {
		text, err := known[name].json()
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return slices.Concat([]byte("[\n"), bytes.Join(texts, []byte(",\n")), []byte("\n]\n")), nil
}

// builtinRole is a role as of one version, and the rules that later versions add.
type builtinRole struct {
	rbacv1.ClusterRole

	since kubeversion.Version
	added []addedRules
}

type addedRules struct {
	since kubeversion.Version
	rules []rbacv1.PolicyRule
}

func addRole(known map[string]*builtinRole, role rbacv1.ClusterRole, version kubeversion.Version) error {
	older := known[role.Name]
	if older == nil {
		known[role.Name] = &builtinRole{ClusterRole: role, since: version}
		return nil
	}
	before := older.Rules
	for _, more := range older.added {
		before = slices.Concat(before, more.rules)
	}
	if lost := rbac.Missing(role.Rules, before); len(lost) > 0 || !sameSelection(older.ClusterRole, role) {
		return fmt.Errorf("kubernetes %s changes the labels or selectors of role %s, or removes %v", version, role.Name, lost)
	}
	if more := newRules(before, role.Rules); len(more) > 0 {
		older.added = append(older.added, addedRules{version, more})
	}
	return nil
}

// newRules returns what rules allow and older ones do not: a rule as it is if all of it is new, otherwise its new part.
func newRules(older, rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	var found []rbacv1.PolicyRule
	for _, rule := range rules {
		whole := []rbacv1.PolicyRule{rule}
		more := rbac.Missing(older, whole)
		if len(more) < len(rbac.Breakdown(whole)) {
			whole = rbac.Compact(more)
		}
		found = append(found, whole...)
	}
	return found
}

// sameSelection reports whether two versions of a role are aggregated in the same way.
func sameSelection(a, b rbacv1.ClusterRole) bool {
	text := func(role rbacv1.ClusterRole) string { return fmt.Sprint(role.Labels, role.AggregationRule.String()) }
	return text(a) == text(b)
}

func (r *builtinRole) json() ([]byte, error) {
	labels := maps.Clone(r.Labels)
	delete(labels, bootstrapping)
	head, err := json.Marshal(struct {
		Since           string                  `json:"since,omitempty"`
		Metadata        metadata                `json:"metadata"`
		AggregationRule *rbacv1.AggregationRule `json:"aggregationRule,omitempty"`
	}{sinceText(r.since), metadata{r.Name, labels}, r.AggregationRule})
	lines := ruleLines(r.Rules, "")
	for _, more := range r.added {
		lines = append(lines, ruleLines(more.rules, sinceText(more.since))...)
	}
	if err != nil || len(lines) == 0 {
		return head, err
	}
	return slices.Concat(head[:len(head)-1], []byte(",\"rules\":[\n"), []byte(strings.Join(lines, ",\n")), []byte("]}")), nil
}

// sinceText returns the version that added something, or "" if every version has it.
func sinceText(v kubeversion.Version) string {
	if v == kubeversion.Oldest {
		return ""
	}
	return v.String()
}

func ruleLines(rules []rbacv1.PolicyRule, since string) []string {
	var lines []string
	for _, rule := range rules {
		line, err := json.Marshal(sortedRule{since, rule.APIGroups, rule.NonResourceURLs, rule.ResourceNames, rule.Resources, rule.Verbs})
		if err != nil {
			panic(err) // strings can be encoded
		}
		lines = append(lines, "  "+string(line))
	}
	return lines
}

type metadata struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
}

// sortedRule has the fields of a rule sorted by name, after the version that added it.
type sortedRule struct {
	Since           string   `json:"since,omitempty"`
	APIGroups       []string `json:"apiGroups,omitempty"`
	NonResourceURLs []string `json:"nonResourceURLs,omitempty"`
	ResourceNames   []string `json:"resourceNames,omitempty"`
	Resources       []string `json:"resources,omitempty"`
	Verbs           []string `json:"verbs"`
}
