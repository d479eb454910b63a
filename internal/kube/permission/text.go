package permission

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
)

// ScopeText names a namespace, or the whole cluster (""). Control characters are not escaped.
func ScopeText(namespace string) string {
	switch namespace {
	case "":
		return "cluster-wide"
	case rbac.UnknownNamespace:
		return "in a namespace that the manifest does not set"
	}
	return "in namespace " + namespace
}

// RuleTexts formats rules in short form, those with the same verbs on one line: get, list pods, deployments.apps. At most
// `shown` items of each list are shown; all if it is 0. Control characters are not escaped.
func RuleTexts(rules []rbacv1.PolicyRule, shown int) []string {
	var texts []string
	for _, l := range RuleLines(rules, shown) {
		texts = append(texts, l.Verbs+" "+l.On)
	}
	return texts
}

// RuleLine holds the verbs of a rule, and the resources that they apply to.
type RuleLine struct{ Verbs, On string }

// RuleLines returns the parts of RuleTexts.
func RuleLines(rules []rbacv1.PolicyRule, shown int) []RuleLine {
	what := map[[2]string][]string{} // by verbs and object names
	var order [][2]string
	for _, rule := range rules {
		key := [2]string{verbsText(rule), namesText(rule, shown)}
		if what[key] == nil {
			order = append(order, key)
		}
		what[key] = append(what[key], whatText(rule)...)
	}
	lines := make([]RuleLine, len(order))
	for i, key := range order {
		lines[i] = RuleLine{key[0], items(what[key], shown) + key[1]}
	}
	return lines
}

func verbsText(rule rbacv1.PolicyRule) string {
	if slices.Contains(rule.Verbs, rbacv1.VerbAll) {
		return "every verb on"
	}
	return items(rule.Verbs, 0)
}

func namesText(rule rbacv1.PolicyRule, shown int) string {
	if len(rule.ResourceNames) == 0 {
		return ""
	}
	return " (named " + items(rule.ResourceNames, shown) + ")"
}

// whatText lists the resources of a rule, with groups as kubectl writes them.
func whatText(rule rbacv1.PolicyRule) []string {
	var what []string
	for _, group := range rule.APIGroups {
		for _, resource := range rule.Resources {
			what = append(what, qualified(resource, group))
		}
	}
	for _, url := range rule.NonResourceURLs {
		if url == rbacv1.NonResourceAll {
			url = "every URL"
		}
		what = append(what, url)
	}
	return what
}

// qualified is a resource with its group.
func qualified(resource, group string) string {
	switch {
	case resource == rbacv1.ResourceAll && group == rbacv1.APIGroupAll:
		return "every resource"
	case group == "":
		return resource
	}
	name, subresource, found := strings.Cut(resource, "/")
	if found {
		subresource = "/" + subresource
	}
	return name + "." + group + subresource
}

func items(list []string, shown int) string {
	if more := len(list) - shown; shown > 0 && more > 0 {
		return strings.Join(list[:shown], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(list, ", ")
}
