package rbac_test

import (
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
)

func TestAllows(t *testing.T) {
	t.Parallel()
	urls := func(verbs []string, urls ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{Verbs: verbs, NonResourceURLs: urls}
	}
	get := []string{"get"}
	pods := rbac.Request{Verb: "get", Resource: "pods", Name: "web", Namespace: "x"}
	tests := []struct {
		name    string
		rule    rbacv1.PolicyRule
		request rbac.Request
		want    bool
	}{
		{"as written", rule("get", "", "pods"), pods, true},
		{"another verb", rule("list", "", "pods"), pods, false},
		{"every verb", rule("*", "", "pods"), pods, true},
		{"verbs are literal", rule("GET", "", "pods"), pods, false},
		{"another group", rule("get", "apps", "pods"), pods, false},
		{"every group", rule("get", "*", "pods"), pods, true},
		{"no group", rbacv1.PolicyRule{Verbs: get, Resources: []string{"pods"}}, pods, false},
		{"every resource", rule("get", "", "*"), pods, true},
		{"a name", rule("get", "", "pods", "db", "web"), pods, true},
		{"another name", rule("get", "", "pods", "db"), pods, false},
		{"names are no patterns", rule("get", "", "pods", "*"), pods, false},
		{"a name, and none requested", rule("get", "", "pods", "web"), rbac.Request{Verb: "get", Resource: "pods"}, false},
		{"a subresource", rule("get", "", "pods/log"), rbac.Request{Verb: "get", Resource: "pods", Subresource: "log"}, true},
		{"a resource is not its subresource", rule("get", "", "pods"), rbac.Request{Verb: "get", Resource: "pods", Subresource: "log"}, false},
		{"a subresource of all resources", rule("get", "", "*/scale"), rbac.Request{Verb: "get", Resource: "pods", Subresource: "scale"}, true},
		{"a subresource of all resources is not a resource", rule("get", "", "*/scale"), pods, false},
		{"another subresource of all resources", rule("get", "", "*/scale"), rbac.Request{Verb: "get", Resource: "pods", Subresource: "autoscale"}, false},
		{"every resource with its subresources", rule("get", "", "*"), rbac.Request{Verb: "get", Resource: "pods", Subresource: "log"}, true},
		{"the subresources of one resource are not a pattern", rule("get", "", "pods/*"), rbac.Request{Verb: "get", Resource: "pods", Subresource: "log"}, false},
		{"everything is requested", rule("get list", "", "pods"), rbac.Request{Verb: "*", Resource: "pods"}, false},
		{"a URL", urls(get, "/metrics"), rbac.Request{Verb: "get", Path: "/metrics"}, true},
		{"another URL", urls(get, "/metrics"), rbac.Request{Verb: "get", Path: "/metrics/x"}, false},
		{"below a URL", urls(get, "/metrics/*"), rbac.Request{Verb: "get", Path: "/metrics/x/y"}, true},
		{"the URL itself", urls(get, "/metrics/*"), rbac.Request{Verb: "get", Path: "/metrics"}, false},
		{"by prefix", urls(get, "/me*"), rbac.Request{Verb: "get", Path: "/metrics"}, true},
		{"a star inside is not a wildcard", urls(get, "/*/x"), rbac.Request{Verb: "get", Path: "/metrics/x"}, false},
		{"every URL", urls(get, "*"), rbac.Request{Verb: "get", Path: "/metrics"}, true},
		{"another verb on a URL", urls(get, "*"), rbac.Request{Verb: "post", Path: "/metrics"}, false},
		{"a resource is not a URL", rule("*", "*", "*"), rbac.Request{Verb: "get", Path: "/metrics"}, false},
		{"a URL is not a resource", urls(get, "*"), pods, false},
	}
	for _, test := range tests {
		if got := rbac.Allows(test.rule, test.request); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
