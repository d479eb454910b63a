package policies

import (
	"cmp"
	"slices"

	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/kube/objects"
)

// defaults are fields of policies that the API server and the engines fill in with these values, or that decide nothing about requests.
//
// Sources: k8s.io/api/admissionregistration/v1 (defaults), kyverno/kyverno, api/kyverno/v1/spec_types.go (background), open-policy-agent/gatekeeper,
// pkg/util/enforcement_action.go, kubewarden/kubewarden-controller, api/policies/v1/spec.go, sigstore/policy-controller, pkg/apis/policy/v1beta1.
var defaults = map[string][]any{
	"failurePolicy": {"Fail"}, "matchPolicy": {"Equivalent"}, "reinvocationPolicy": {"Never"}, "timeoutSeconds": {int64(10), float64(10)},
	"enforcementAction": {"deny"}, "background": {true, false}, "scope": {"*"},
	"mode": {"protect", "enforce"}, "mutating": {false}, "backgroundAudit": {true, false}, "policyServer": {"default"},
}

// ofEverything are the fields whose empty value selects everything, as if they were not set.
var ofEverything = []string{"matchResources", "namespaceSelector", "objectSelector"}

// selecting are the fields that say for which requests a policy is. Lists of names in them have no order. What a policy requires is in other fields,
// which can contain fields of the same names.
var selecting = []string{
	"spec", "webhooks", "rules", "match", "exclude", "any", "all", "resources", "kinds", "names", "namespaces", "operations", "roles", "clusterRoles",
	"matchConstraints", "matchResources", "resourceRules", "excludeResourceRules", "apiGroups", "apiVersions", "resourceNames", "excludedNamespaces",
	"validationActions",
}

// Content returns what a policy decides, so that two forms of one can be compared: without descriptive fields and defaults, and with names sorted.
func Content(o *objects.Object) any { return normalFields(jsonfield.Content(o)) }

func normalFields(fields map[string]any) map[string]any {
	normal := map[string]any{}
	for key, value := range fields {
		switch v := value.(type) {
		case map[string]any:
			normal[key] = value
			if slices.Contains(selecting, key) {
				normal[key] = normalFields(v)
			}
			if left, _ := normal[key].(map[string]any); len(left) == 0 && slices.Contains(ofEverything, key) {
				delete(normal, key)
			}
		case []any:
			normal[key] = value
			if slices.Contains(selecting, key) {
				normal[key] = normalList(v)
			}
		default:
			if !slices.Contains(defaults[key], value) {
				normal[key] = value
			}
		}
	}
	return normal
}

// normalList sorts names, which precede the other items.
func normalList(list []any) []any {
	normal := slices.Clone(list)
	for i, item := range normal {
		if fields, is := item.(map[string]any); is {
			normal[i] = normalFields(fields)
		}
	}
	slices.SortStableFunc(normal, func(a, b any) int { return cmp.Compare(jsonfield.Text(a), jsonfield.Text(b)) })
	return normal
}
