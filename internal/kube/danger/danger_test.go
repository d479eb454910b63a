package danger_test

import (
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/danger"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ verbs, groups, resources, namespace, want string }{
		{"*", "*", "*", "", "cluster-admin"},
		{"*", "*", "*", "a", "escalation"},
		{"get,list", "*", "*", "", "secrets"},
		{"get,escalate", "*", "*", "", "escalation secrets"},
		{"impersonate", "*", "*", "a", "escalation"},
		{"impersonate", "", "users,uids", "", "escalation"},
		{"impersonate", "authentication.k8s.io", "*", "", "other"},
		{"approve", "*", "*", "", "escalation"},
		{"use", "*", "*", "", "other"},
		{"list,approve", "*", "*", "", "escalation secrets"},
		{"impersonate", "authentication.k8s.io", "uids", "", "other"},
		{"impersonate", "authentication.k8s.io", "userextras/scopes", "", "other"},
		{"impersonate", "*", "groups", "", "escalation"},
		{"escalate", "rbac.authorization.k8s.io", "clusterroles", "", "escalation"},
		{"create", "", "pods,serviceaccounts/token", "", "secrets pods"},
		{"get", "", "*/exec", "", "pods"},
		{"patch", "olm.operatorframework.io", "clusterextensions", "", "extensions"},
		{"get", "", "pods", "", ""},
		{"*", "example.org", "widgets", "", "other"},
	} {
		rule := rbacv1.PolicyRule{
			Verbs: strings.Split(c.verbs, ","), APIGroups: strings.Split(c.groups, ","), Resources: strings.Split(c.resources, ","),
		}
		var classes []string
		for _, d := range danger.Of(rule, c.namespace) {
			classes = append(classes, string(d.Class))
		}
		if got := strings.Join(classes, " "); got != c.want {
			t.Errorf("%v in %q: %s, want %s", rule, c.namespace, got, c.want)
		}
	}
}

func TestCustomResources(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		group, resource string
		want            danger.Class
	}{
		{"argoproj.io", "rollouts", danger.Pods},
		{"tekton.dev", "taskruns", danger.Pods},
		{"serving.knative.dev", "services", danger.Pods},
		{"", "services", ""},
		{"elasticsearch.k8s.elastic.co", "elasticsearches", danger.Pods},
		{"batch.volcano.sh", "jobs", danger.Pods},
		{"kustomize.toolkit.fluxcd.io", "kustomizations", danger.Extensions},
		{"argoproj.io", "applications", danger.Extensions},
		{"operators.coreos.com", "subscriptions", danger.Extensions},
		{"admissionregistration.k8s.io", "mutatingadmissionpolicies", danger.Escalation},
		{"admissionregistration.k8s.io", "validatingwebhookconfigurations", danger.Admission},
	} {
		rule := rbacv1.PolicyRule{Verbs: []string{"create"}, APIGroups: []string{c.group}, Resources: []string{c.resource}}
		var got danger.Class
		if found := danger.Of(rule, ""); len(found) > 0 {
			got = found[0].Class
		}
		if got != c.want {
			t.Errorf("%s.%s: %q, want %q", c.resource, c.group, got, c.want)
		}
	}
	if danger.InGroup("argoproj.io") {
		t.Error("a bundle of Argo CD defines the group itself")
	}
}
