package permission

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// shownItems is how many items of a list in a rule are written out.
const shownItems = 12

// RuleText writes a rule in one line, as people say it: get, list pods, deployments.apps (named web). Control characters
// are left as they are.
func RuleText(rule rbacv1.PolicyRule) string {
	text := items(rule.Verbs)
	if slices.Contains(rule.Verbs, rbacv1.VerbAll) {
		text = "every verb on"
	}
	switch {
	case slices.Equal(rule.NonResourceURLs, []string{rbacv1.NonResourceAll}):
		return text + " every URL"
	case len(rule.NonResourceURLs) > 0:
		return text + " " + items(rule.NonResourceURLs)
	}
	text += " " + resourcesText(rule)
	if len(rule.ResourceNames) > 0 {
		text += " (named " + items(rule.ResourceNames) + ")"
	}
	return text
}

// resourcesText names resources with their groups, as kubectl does. Where several resources are in several groups each,
// the groups follow the list.
func resourcesText(rule rbacv1.PolicyRule) string {
	switch {
	case slices.Contains(rule.APIGroups, rbacv1.APIGroupAll) && slices.Contains(rule.Resources, rbacv1.ResourceAll):
		return "every resource"
	case slices.Equal(rule.APIGroups, []string{""}):
		return items(rule.Resources)
	case len(rule.APIGroups) != 1 && len(rule.Resources) != 1:
		return items(rule.Resources) + " in the API groups " + items(quoted(rule.APIGroups))
	}
	var names []string
	for _, group := range rule.APIGroups {
		for _, resource := range rule.Resources {
			names = append(names, qualified(resource, group))
		}
	}
	return items(names)
}

func qualified(resource, group string) string {
	if group == "" {
		return resource
	}
	name, subresource, _ := strings.Cut(resource, "/")
	if subresource != "" {
		subresource = "/" + subresource
	}
	return name + "." + group + subresource
}

// quoted makes the core group, which has no name, visible.
func quoted(groups []string) []string {
	quoted := slices.Clone(groups)
	for i, group := range quoted {
		if group == "" {
			quoted[i] = `""`
		}
	}
	return quoted
}

func items(list []string) string {
	if len(list) > shownItems {
		return strings.Join(list[:shownItems], ", ") + ", …"
	}
	return strings.Join(list, ", ")
}
