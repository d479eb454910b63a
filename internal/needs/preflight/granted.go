package preflight

import (
	"errors"
	"fmt"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// Granted is what an identity holds according to a cluster: the output of `kubectl auth can-i --list`, or a
// SelfSubjectRulesReview. Both are about one namespace, and do not distinguish what holds there from what holds in the whole
// cluster.
type Granted struct {
	Rules []rbacv1.PolicyRule
	// Namespace is the one of a review; "" if it is unknown, as in a list.
	Namespace string
	// Incomplete is set if the cluster says that the list may lack rules.
	Incomplete bool
}

// ParseGranted reads a list or a review, as YAML or JSON. The error names the first line that is neither.
func ParseGranted(data []byte) (Granted, error) {
	text := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
	if review().MatchString(text) {
		return parseReview([]byte(text))
	}
	return parseList(text)
}

var review = lazyregexp.New(`(?m)^\s*[{,]?\s*"?kind"?\s*:\s*"?SelfSubjectRulesReview"?|"kind"\s*:\s*"SelfSubjectRulesReview"`)

func parseReview(data []byte) (Granted, error) {
	var r authorizationv1.SelfSubjectRulesReview
	if err := yaml.Unmarshal(data, &r); err != nil {
		return Granted{}, fmt.Errorf("the SelfSubjectRulesReview cannot be read: %w", err)
	}
	g := Granted{Namespace: r.Spec.Namespace, Incomplete: r.Status.Incomplete}
	for _, rule := range r.Status.ResourceRules {
		g.Rules = append(g.Rules, rbacv1.PolicyRule{
			Verbs: rule.Verbs, APIGroups: rule.APIGroups, Resources: rule.Resources, ResourceNames: rule.ResourceNames,
		})
	}
	for _, rule := range r.Status.NonResourceRules {
		g.Rules = append(g.Rules, rbacv1.PolicyRule{Verbs: rule.Verbs, NonResourceURLs: rule.NonResourceURLs})
	}
	if len(g.Rules) == 0 {
		return g, errors.New("the SelfSubjectRulesReview has no rules in its status: pass what the API server answers, not the request")
	}
	return g, nil
}

var (
	// listHeader is the first line of a list, and listRow one of the others: the resource, URLs, names, and verbs. Source:
	// PrintSelfSubjectRulesReview and combineResourceGroup in k8s.io/kubectl/pkg/cmd/auth/cani.go.
	listHeader = lazyregexp.New(`^Resources\s+Non-Resource URLs\s+Resource Names\s+Verbs\s*$`)
	listRow    = lazyregexp.New(`^(\S*)\s+\[([^\]]*)\]\s+\[([^\]]*)\]\s+\[([^\]]*)\]\s*$`)
	warning    = lazyregexp.New(`(?i)^warning: `)
)

func parseList(text string) (Granted, error) {
	var g Granted
	for number, line := range strings.Split(text, "\n") {
		switch {
		case strings.TrimSpace(line) == "" || listHeader().MatchString(line):
			continue
		case warning().MatchString(line):
			g.Incomplete = g.Incomplete || strings.Contains(line, "incomplete")
			continue
		}
		columns := listRow().FindStringSubmatch(line)
		if columns == nil {
			return g, fmt.Errorf("line %d is not a row of `kubectl auth can-i --list`, and the text is not a SelfSubjectRulesReview", number+1)
		}
		g.Rules = append(g.Rules, ruleOfRow(columns))
	}
	if len(g.Rules) == 0 {
		return g, errors.New("it lists no permissions: expected the output of `kubectl auth can-i --list`, or a SelfSubjectRulesReview")
	}
	return g, nil
}

// ruleOfRow reads the columns of a row. The resource is written name.group/subresource.
func ruleOfRow(columns []string) rbacv1.PolicyRule {
	rule := rbacv1.PolicyRule{
		NonResourceURLs: strings.Fields(columns[2]), ResourceNames: strings.Fields(columns[3]), Verbs: strings.Fields(columns[4]),
	}
	if columns[1] == "" {
		return rule
	}
	full, subresource, hasSubresource := strings.Cut(columns[1], "/")
	resource, group, _ := strings.Cut(full, ".")
	if hasSubresource {
		resource += "/" + subresource
	}
	rule.APIGroups, rule.Resources = []string{group}, []string{resource}
	return rule
}
