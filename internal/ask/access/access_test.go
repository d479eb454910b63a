package access

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/restmap"
)

// tree is a repository in memory.
type tree = filestest.Tree

func sceneOf(t *testing.T, files tree, kinds map[string][]string) Scene {
	t.Helper()
	w, err := loader.Read(context.Background(), loadertest.Repository{Tree: files}, loader.Options{Kinds: kinds})
	if err != nil {
		t.Fatal(err)
	}
	return Scene{Repository: w, Selected: func(string) bool { return true }}
}

const binding = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: b}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [SUBJECT]
`

func TestIdentity(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		user   string
		groups []string
		want   rbac.Identity
	}{
		{"ada", nil, rbac.Identity{User: "ada", Groups: []string{"system:authenticated"}}},
		{"ada", []string{"ops"}, rbac.Identity{User: "ada", Groups: []string{"ops", "system:authenticated"}}},
		{"", []string{"ops"}, rbac.Identity{Groups: []string{"ops", "system:authenticated"}}},
		{"x", []string{"system:unauthenticated"}, rbac.Identity{User: "x", Groups: []string{"system:unauthenticated"}}},
		{"olm:clusterextension:x", nil, rbac.Identity{
			User: "olm:clusterextension:x", Groups: []string{"olm:clusterextensions", "system:authenticated"},
		}},
	} {
		got, err := Identity(test.user, test.groups)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s %v (-want +got)\n%s", test.user, test.groups, diff)
		}
	}
	if _, err := Identity("", nil); err == nil {
		t.Error("an identity without user and groups is accepted")
	}
}

// The filter on bytes leaves out no binding of the identity, however its subject is written.
func TestKindsMissNoBinding(t *testing.T) {
	t.Parallel()
	for subject, user := range map[string]string{
		`{kind: ServiceAccount, name: robot, namespace: ns}`:           "system:serviceaccount:ns:robot",
		`{kind: ServiceAccount, name: "rob\x6ft", namespace: ns}`:      "system:serviceaccount:ns:robot",
		`{kind: ServiceAccount, name: !!str robot, namespace: ns}`:     "system:serviceaccount:ns:robot",
		`{kind: User, name: "system:serviceaccount:ns:robot"}`:         "system:serviceaccount:ns:robot",
		`{kind: Group, name: "system:serviceaccounts"}`:                "system:serviceaccount:ns:robot",
		`{kind: Group, name: "system:serviceaccounts:ns"}`:             "system:serviceaccount:ns:robot",
		`{kind: Group, name: "system:authenticated"}`:                  "ada",
		`{kind: User, name: ada}`:                                      "ada",
		`{kind: User, name: "\u0061da"}`:                               "ada",
		`{kind: Group, name: "olm:clusterextensions"}`:                 "olm:clusterextension:x",
		`{kind: User, name: "olm:clusterextension:x"}`:                 "olm:clusterextension:x",
		"{kind: User, name:\n    ada}":                                 "ada",
		`{kind: User, name: !!binary YWRh}`:                            "",
		`{kind: ServiceAccount, name: "rob\x6ft", namespace: "\x6es"}`: "system:serviceaccount:ns:robot",
	} {
		if user == "" {
			continue // the result of the parser is unspecified
		}
		who, err := Identity(user, nil)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(binding, "SUBJECT", subject, 1)
		if !sceneOf(t, tree{"b.yaml": text}, Kinds(who)).Check(who, Asked{Request: rbac.Request{Verb: "get", Resource: "nodes"}}).Allowed {
			t.Errorf("%s: %s was not found", subject, user)
		}
	}
}

func TestRequest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		question Question
		want     rbac.Request
		warned   bool
	}{
		{Question{Verb: "get", Argument: "po/web", Namespace: "shop"}, rbac.Request{Verb: "get", Resource: "pods", Name: "web", Namespace: "shop"}, false},
		{Question{Verb: "get", Argument: "Deployment.apps", Subresource: "scale"}, rbac.Request{Verb: "get", Group: "apps", Resource: "deployments", Subresource: "scale"}, false},
		{Question{Verb: "get", Argument: "nodes", Namespace: "shop"}, rbac.Request{Verb: "get", Resource: "nodes", Namespace: "shop"}, true},
		{Question{Verb: "get", Argument: "nodes", Namespace: rbac.AnyNamespace}, rbac.Request{Verb: "get", Resource: "nodes"}, false},
		{Question{Verb: "*", Argument: "*"}, rbac.Request{Verb: "*", Resource: "*"}, false},
		{Question{Verb: "get", Argument: "kilns.v1.pottery.example.com/one"}, rbac.Request{Verb: "get", Group: "pottery.example.com", Resource: "kilns", Name: "one"}, true},
		{Question{Verb: "post", Argument: "/logs/x"}, rbac.Request{Verb: "post", Path: "/logs/x"}, false},
		{Question{Verb: "watch", Argument: "/logs/x"}, rbac.Request{Verb: "watch", Path: "/logs/x"}, true},
		{Question{Verb: "impersonate", Argument: "groups/x"}, rbac.Request{Verb: "impersonate", Resource: "groups", Name: "x"}, false},
	} {
		got, warnings, err := test.question.Request(restmap.New())
		if err != nil || len(warnings) > 0 != test.warned {
			t.Errorf("%v: warnings %q, error %v", test.question, warnings, err)
		}
		if diff := cmp.Diff(test.want, got.Request); diff != "" {
			t.Errorf("%v (-want +got)\n%s", test.question, diff)
		}
	}
}

// The order and form are kubectl's: the order of the rules as Go prints them, and verbs in the order of their first
// occurrence.
func TestAsListed(t *testing.T) {
	t.Parallel()
	cluster := []rbacv1.PolicyRule{
		{Verbs: []string{"list", "get"}, APIGroups: []string{""}, Resources: []string{"pods", "services"}},
		{Verbs: []string{"get", "watch"}, APIGroups: []string{""}, Resources: []string{"pods"}},
		{Verbs: []string{"get"}, NonResourceURLs: []string{"/b", "/a"}},
	}
	namespaced := []rbacv1.PolicyRule{{Verbs: []string{"get"}, NonResourceURLs: []string{"/c"}}}
	var got []string
	for _, rule := range asListed(cluster, namespaced) {
		got = append(got, strings.Join(rule.Verbs, " ")+" "+resourceOf(rule)+strings.Join(rule.NonResourceURLs, " "))
	}
	want := []string{"get /a", "get /b", "list get watch pods", "list get services"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
