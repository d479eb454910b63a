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
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// bootstrapping is a label that every one of these roles has.
const bootstrapping = "kubernetes.io/bootstrapping"

const policyFolder = "plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata/"

// RolesFiles are the files of Kubernetes' source with the roles that its bootstrap policy has if no feature gate is set: the
// ClusterRoles of users and components, those of controllers, and the Roles of namespaces.
var RolesFiles = []string{policyFolder + "cluster-roles.yaml", policyFolder + "controller-roles.yaml", policyFolder + "namespace-roles.yaml"}

// BuiltinJSON writes the roles of the bootstrap policies, not aggregated, as a list: a line for each role and each of its rules,
// without the fields that all of them have. It takes the contents of RolesFiles for each version from kubeversion.Oldest to
// kubeversion.Newest. The roles and rules of the oldest version come first. What a later version adds has the field since, and a rule
// that a later version does not have the field until. The error reports a version that removes a role, because the list cannot
// express that.
func BuiltinJSON(files map[kubeversion.Version][][]byte) ([]byte, error) {
	known := map[string]*builtinRole{}
	for version := kubeversion.Oldest; version <= kubeversion.Newest; version++ {
		seen := map[string]bool{}
		for _, content := range files[version] {
			var list rbacv1.ClusterRoleList
			if err := yaml.Unmarshal(content, &list); err != nil {
				return nil, fmt.Errorf("the roles of Kubernetes %s: %w", version, err)
			}
			for i := range list.Items {
				seen[key(list.Items[i])] = true
				if err := addRole(known, list.Items[i], version); err != nil {
					return nil, err
				}
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

// key sorts the roles: ClusterRoles by name, then Roles by namespace and name.
func key(role rbacv1.ClusterRole) string {
	if role.Namespace == "" {
		return role.Name
	}
	return "~" + role.Namespace + "/" + role.Name
}

// builtinRole is a role without its rules, and the rules of all versions.
type builtinRole struct {
	rbacv1.ClusterRole

	since kubeversion.Version
	rules []builtinRule
}

// builtinRule is a rule with the version that added it, and the first one without it; 0 if all later versions have it.
type builtinRule struct {
	rbacv1.PolicyRule

	since, until kubeversion.Version
}

func addRole(known map[string]*builtinRole, role rbacv1.ClusterRole, version kubeversion.Version) error {
	older := known[key(role)]
	if older == nil {
		older = &builtinRole{ClusterRole: role, since: version}
		known[key(role)] = older
	}
	if !sameSelection(older.ClusterRole, role) {
		return fmt.Errorf("kubernetes %s changes the labels or selectors of role %s", version, role.Name)
	}
	older.rules = endRules(older.rules, role.Rules, version)
	var before []rbacv1.PolicyRule
	for _, rule := range older.rules {
		if rule.until == 0 {
			before = append(before, rule.PolicyRule)
		}
	}
	since := version
	if older.since == version {
		since = kubeversion.Oldest
	}
	for _, more := range newRules(before, role.Rules) {
		older.rules = append(older.rules, builtinRule{more, since, 0})
	}
	return nil
}

// endRules splits the rules of older versions of which a version does not have everything in what it has and what ends with it.
func endRules(older []builtinRule, now []rbacv1.PolicyRule, version kubeversion.Version) []builtinRule {
	var rules []builtinRule
	for _, rule := range older {
		whole := []rbacv1.PolicyRule{rule.PolicyRule}
		lost := policyrules.Missing(now, whole)
		if rule.until != 0 || len(lost) == 0 {
			rules = append(rules, rule)
			continue
		}
		for _, kept := range policyrules.Compact(policyrules.Missing(lost, whole)) {
			rules = append(rules, builtinRule{kept, rule.since, 0})
		}
		for _, ended := range policyrules.Compact(lost) {
			rules = append(rules, builtinRule{ended, rule.since, version})
		}
	}
	return rules
}

// newRules returns what rules allow and older ones do not: a rule as it is if all of it is new, otherwise its new part.
func newRules(older, rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	var found []rbacv1.PolicyRule
	for _, rule := range rules {
		whole := []rbacv1.PolicyRule{rule}
		more := policyrules.Missing(older, whole)
		if len(more) < len(policyrules.Breakdown(whole)) {
			whole = policyrules.Compact(more)
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
	}{sinceText(r.since), metadata{r.Name, r.Namespace, labels}, r.AggregationRule})
	lines := ruleLines(r.rules)
	if err != nil || len(lines) == 0 {
		return head, err
	}
	return slices.Concat(head[:len(head)-1], []byte(",\"rules\":[\n"), []byte(strings.Join(lines, ",\n")), []byte("]}")), nil
}

// sinceText returns the version that added or ended something, or "" if every version has it.
func sinceText(v kubeversion.Version) string {
	if v <= kubeversion.Oldest {
		return ""
	}
	return v.String()
}

func ruleLines(rules []builtinRule) []string {
	var lines []string
	for _, r := range slices.SortedStableFunc(slices.Values(rules), func(a, b builtinRule) int { return int(a.since - b.since) }) {
		line, err := json.Marshal(sortedRule{sinceText(r.since), sinceText(r.until), r.APIGroups, r.NonResourceURLs, r.ResourceNames, r.Resources, r.Verbs})
		if err != nil {
			panic(err) // strings can be encoded
		}
		lines = append(lines, "  "+string(line))
	}
	return lines
}

type metadata struct {
	Name      string            `json:"name"`
	Namespace string            `json:"namespace,omitempty"`
	Labels    map[string]string `json:"labels,omitempty"`
}

// sortedRule has the fields of a rule sorted by name, after the versions that added it and no longer have it.
type sortedRule struct {
	Since           string   `json:"since,omitempty"`
	Until           string   `json:"until,omitempty"`
	APIGroups       []string `json:"apiGroups,omitempty"`
	NonResourceURLs []string `json:"nonResourceURLs,omitempty"`
	ResourceNames   []string `json:"resourceNames,omitempty"`
	Resources       []string `json:"resources,omitempty"`
	Verbs           []string `json:"verbs"`
}
