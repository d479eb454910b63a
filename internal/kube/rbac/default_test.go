package rbac_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

func TestDefaults(t *testing.T) {
	t.Parallel()
	review := rbac.Request{Verb: "create", Group: "authorization.k8s.io", Resource: "selfsubjectaccessreviews"}
	user := rbac.Identity{User: "ada", Groups: []string{"system:authenticated"}}
	anybody := rbac.Identity{User: "system:anonymous", Groups: []string{"system:unauthenticated"}}
	nothing := &objects.Unit{Kind: objects.KustomizationUnit}
	for name, test := range map[string]struct {
		who     rbac.Identity
		request rbac.Request
		want    string
	}{
		"review":           {user, review, "system:basic-user"},
		"anonymous review": {anybody, review, ""},
		"version":          {anybody, rbac.Request{Verb: "get", Path: "/version"}, "system:public-info-viewer"},
		"pods":             {user, rbac.Request{Verb: "get", Resource: "pods"}, ""},
		"masters":          {rbac.Identity{User: "root", Groups: []string{"system:masters"}}, rbac.Request{Verb: "get", Resource: "pods"}, "cluster-admin"},
	} {
		got := ""
		if answer := rbac.AskDefaults(nothing, test.who, test.request); answer.Allowed {
			got = answer.Binding.Object.Name
		}
		if got != test.want {
			t.Errorf("%s: allowed by %q, want %q", name, got, test.want)
		}
		if rbac.Ask(nothing, nil, test.who, test.request).Allowed {
			t.Errorf("%s: Ask counts the bindings of every cluster", name)
		}
	}
	var holders []string
	for _, h := range rbac.DefaultHolders(nothing, review) {
		holders = append(holders, h.Subject.Name)
	}
	if diff := cmp.Diff([]string{"system:masters", "system:authenticated"}, holders); diff != "" {
		t.Errorf("holders (-want +got)\n%s", diff)
	}
}

// TestDefaultsThatAreLeftAlone applies a default binding with other subjects. The API server adds the default ones to it, unless the
// annotation turns that off.
func TestDefaultsThatAreLeftAlone(t *testing.T) {
	t.Parallel()
	review := rbac.Request{Verb: "create", Group: "authorization.k8s.io", Resource: "selfsubjectaccessreviews"}
	user := rbac.Identity{User: "ada", Groups: []string{"system:authenticated"}}
	for annotations, want := range map[string]bool{
		"": true,
		"rbac.authorization.kubernetes.io/autoupdate: 'true'":  true,
		"rbac.authorization.kubernetes.io/autoupdate: 'false'": false,
	} {
		metadata := "{name: system:basic-user, annotations: {" + annotations + "}}"
		u := objectstest.Plain(t, tree{"a.yaml": bindingOf("ClusterRoleBinding", metadata, "ClusterRole, name: system:basic-user", "{kind: User, name: eve}")})
		if got := rbac.AskDefaults(u, user, review).Allowed; got != want {
			t.Errorf("annotations %q: allowed %v, want %v", annotations, got, want)
		}
	}
}
