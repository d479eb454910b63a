package kube

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"
)

// bootstrapping is a label that every one of these roles has.
const bootstrapping = "kubernetes.io/bootstrapping"

// BuiltinJSON writes the ClusterRoles of the bootstrap policy, not aggregated, as a list: a line for each role and each of
// its rules, without the fields that all of them have.
func BuiltinJSON() ([]byte, error) {
	roles := bootstrappolicy.ClusterRoles()
	slices.SortFunc(roles, func(a, b rbacv1.ClusterRole) int { return strings.Compare(a.Name, b.Name) })
	var texts [][]byte
	for _, role := range roles {
		text, err := roleJSON(role)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return slices.Concat([]byte("[\n"), bytes.Join(texts, []byte(",\n")), []byte("\n]\n")), nil
}

func roleJSON(role rbacv1.ClusterRole) ([]byte, error) {
	labels := maps.Clone(role.Labels)
	delete(labels, bootstrapping)
	head, err := json.Marshal(struct {
		Metadata        metadata                `json:"metadata"`
		AggregationRule *rbacv1.AggregationRule `json:"aggregationRule,omitempty"`
	}{metadata{role.Name, labels}, role.AggregationRule})
	if err != nil || len(role.Rules) == 0 {
		return head, err
	}
	var rules [][]byte
	for _, rule := range role.Rules {
		line, err := json.Marshal(sortedRule{rule.APIGroups, rule.NonResourceURLs, rule.ResourceNames, rule.Resources, rule.Verbs})
		if err != nil {
			return nil, err
		}
		rules = append(rules, append([]byte("  "), line...))
	}
	return slices.Concat(head[:len(head)-1], []byte(",\"rules\":[\n"), bytes.Join(rules, []byte(",\n")), []byte("]}")), nil
}

type metadata struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
}

// sortedRule has the fields of a rule sorted by name.
type sortedRule struct {
	APIGroups       []string `json:"apiGroups,omitempty"`
	NonResourceURLs []string `json:"nonResourceURLs,omitempty"`
	ResourceNames   []string `json:"resourceNames,omitempty"`
	Resources       []string `json:"resources,omitempty"`
	Verbs           []string `json:"verbs"`
}
