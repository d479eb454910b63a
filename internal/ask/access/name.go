package access

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
)

// RoleName returns the name of a role for messages.
func RoleName(ref rbac.RoleRef) string {
	if ref.Namespace == "" || ref.Namespace == rbac.UnknownNamespace {
		return ref.Kind + " " + ref.Name
	}
	return ref.Kind + " " + ref.Namespace + "/" + ref.Name
}

// BindingName returns the name of a binding for messages.
func BindingName(b rbac.Binding) string { return b.Object.Kind + " " + b.Object.Name }

// SubjectName returns the name of a subject for messages.
func SubjectName(s rbac.Subject) string {
	if s.Kind != rbac.KindServiceAccount {
		return s.Kind + " " + s.Name
	}
	namespace := s.Namespace
	if namespace == "" {
		namespace = rbac.UnknownNamespace
	}
	return s.Kind + " " + namespace + "/" + s.Name
}

// scopeText returns where a binding grants its role.
func scopeText(scope string) string {
	switch scope {
	case "":
		return "everywhere"
	case rbac.UnknownNamespace:
		return "in an unknown namespace"
	}
	return "in namespace " + scope
}

// maxGroups limits the API groups of a rule in a text. A role for everything that a cluster has can list a hundred.
const maxGroups = 5

// ruleText writes a rule as in the manifest of a role. Of many API groups it writes the first ones, and counts the others.
func ruleText(rule rbacv1.PolicyRule) string {
	var parts []string
	for _, list := range []struct {
		name   string
		values []string
	}{
		{"apiGroups", rule.APIGroups}, {"resources", rule.Resources}, {"resourceNames", rule.ResourceNames},
		{"nonResourceURLs", rule.NonResourceURLs}, {"verbs", rule.Verbs},
	} {
		if len(list.values) > 0 {
			values := flow(list.values)
			if more := len(values) - maxGroups; list.name == "apiGroups" && more > 0 {
				values = append(values[:maxGroups], fmt.Sprintf("and %d more", more))
			}
			parts = append(parts, list.name+": ["+strings.Join(values, ", ")+"]")
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// flow quotes values that are not plain words in YAML.
func flow(values []string) []string {
	quoted := slices.Clone(values)
	for i, value := range quoted {
		if value == "" || strings.ContainsAny(value, `*,[]{}"'#&!|>%@`+"`") {
			quoted[i] = strconv.Quote(value)
		}
	}
	return quoted
}
