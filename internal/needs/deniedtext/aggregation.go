package deniedtext

import (
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// aggregation matches the refusal of a ClusterRole with an aggregationRule, which names neither the user nor a permission
// (k8s.io/kubernetes, pkg/registry/rbac/clusterrole/policybased/storage.go). The one of OLM's pre-authorizer continues with
// both, and was read before.
var aggregation = lazyregexp.New(`(?:clusterroles\.rbac\.authorization\.k8s\.io\s+\\*"([^"\\\n]*)\\*"\s+is\s+forbidden:\s+)?` +
	spaced("must have cluster-admin privileges to use the aggregationRule"))

// aggregations reads refusals of roles that aggregate others. The API server requires every permission, or escalate on
// ClusterRoles, which is less to grant.
func (r *reading) aggregations() {
	if !strings.Contains(r.text, "aggregationRule") {
		return
	}
	for _, m := range r.groups(aggregation().FindAllStringSubmatchIndex(r.text, -1)) {
		name := m.group(1)
		if !printable(name) {
			continue
		}
		why := "the API server requires it for a ClusterRole with an aggregationRule"
		if name != "" {
			why += ": " + name
		}
		r.add(Missing{Aggregation: true, Why: why, Rule: rbacv1.PolicyRule{
			Verbs: []string{"escalate"}, APIGroups: []string{rbacv1.GroupName}, Resources: []string{"clusterroles"},
		}})
		r.spans = append(r.spans, m.span)
	}
}
