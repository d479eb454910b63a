package rbac_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

// asked formats an answer: yes with the binding, or no with the reasons for doubt.
func asked(a rbac.Answer) string {
	if a.Allowed {
		return "yes, by " + a.Binding.Object.Name
	}
	text := "no"
	for _, role := range a.Unknown {
		text += ", unknown " + role.Name
	}
	for _, role := range a.Partial {
		text += ", partial " + role.Name
	}
	for _, b := range a.Uncertain {
		text += ", uncertain " + b.Object.Name
	}
	return text
}

func TestAsk(t *testing.T) {
	t.Parallel()
	base := clusterRole("pods", on("pods")) + clusterRole("urls", "[{verbs: [get], nonResourceURLs: [/metrics]}]") + role("pods", "x", on("pods"))
	inX := rbac.Request{Verb: "get", Resource: "pods", Namespace: "x"}
	everywhere := rbac.Request{Verb: "get", Resource: "pods"}
	metrics := rbac.Request{Verb: "get", Path: "/metrics"}
	tests := []struct {
		name, text string
		request    rbac.Request
		want       string
	}{
		{"nothing", "", inX, "no"},
		{"cluster-wide", clusterBinding("b", "ClusterRole, name: pods", installerSubject), inX, "yes, by b"},
		{"in all namespaces", clusterBinding("b", "ClusterRole, name: pods", installerSubject), everywhere, "yes, by b"},
		{"in a namespace", roleBinding("b", "x", "Role, name: pods", installerSubject), inX, "yes, by b"},
		{"in another namespace", roleBinding("b", "y", "ClusterRole, name: pods", installerSubject), inX, "no"},
		{"in one namespace is not in all", roleBinding("b", "x", "Role, name: pods", installerSubject), everywhere, "no"},
		{"cluster-wide ones come first", roleBinding("a", "x", "Role, name: pods", installerSubject) + clusterBinding("b", "ClusterRole, name: pods", installerSubject), inX, "yes, by b"},
		{"a URL", clusterBinding("b", "ClusterRole, name: urls", installerSubject), metrics, "yes, by b"},
		{"a URL in a namespace", roleBinding("b", "x", "ClusterRole, name: urls", installerSubject), metrics, "no"},
		{"by a group", clusterBinding("b", "ClusterRole, name: pods", "{kind: Group, name: 'system:serviceaccounts:ns'}"), inX, "yes, by b"},
		{"an unknown role", clusterBinding("b", "ClusterRole, name: lost", installerSubject), inX, "no, unknown lost"},
		{"an unknown role in another namespace", roleBinding("b", "y", "ClusterRole, name: lost", installerSubject), inX, "no"},
		{"an unknown role does not matter", clusterBinding("a", "ClusterRole, name: lost", installerSubject) + clusterBinding("b", "ClusterRole, name: pods", installerSubject), inX, "yes, by b"},
		{"a built-in role", clusterBinding("b", "ClusterRole, name: view", installerSubject), inX, "yes, by b"},
		{"a role to which others can add", clusterBinding("b", "ClusterRole, name: view", installerSubject), metrics, "no, partial view"},
		{"a binding without a namespace", roleBinding("b", "null", "ClusterRole, name: pods", installerSubject), inX, "no, uncertain b"},
		{"a templated namespace", roleBinding("b", "'${NS}'", "ClusterRole, name: pods", installerSubject), inX, "no, uncertain b"},
		{"an account without a namespace", clusterBinding("b", "ClusterRole, name: pods", "{kind: ServiceAccount, name: sa}"), inX, "no, uncertain b"},
		{"an account of a templated namespace", clusterBinding("b", "ClusterRole, name: pods", "{kind: ServiceAccount, name: sa, namespace: '${NS}'}"), inX, "no, uncertain b"},
		{"a templated account", clusterBinding("b", "ClusterRole, name: pods", "{kind: ServiceAccount, name: '${SA}', namespace: ns}"), inX, "no, uncertain b"},
		{"a binding refused for a user without a name", clusterBinding("b", "ClusterRole, name: pods", installerSubject+", {kind: User, name: ''}"), inX, "no, uncertain b"},
		{"for an unknown kind", clusterBinding("b", "ClusterRole, name: pods", installerSubject+", {kind: Robot, name: r2}"), inX, "no, uncertain b"},
		{"because of a wrong apiGroup", clusterBinding("b", "ClusterRole, name: pods", "{kind: Group, name: g, apiGroup: v1}, "+installerSubject), inX, "no, uncertain b"},
		{"for an account without a namespace", clusterBinding("b", "ClusterRole, name: pods", installerSubject+", {kind: ServiceAccount, name: other}"), inX, "no, uncertain b"},
		{"for an account whose name cannot be", clusterBinding("b", "ClusterRole, name: pods", installerSubject+", {kind: ServiceAccount, name: 'a:b', namespace: ns}"), inX, "no, uncertain b"},
		{"for its version", strings.ReplaceAll(clusterBinding("b", "ClusterRole, name: pods", installerSubject), "k8s.io/v1\n", "k8s.io/v1beta1\n"), inX, "no, uncertain b"},
		{"which a RoleBinding stands in for", roleBinding("b", "x", "ClusterRole, name: pods", installerSubject+", {kind: ServiceAccount, name: other}"), inX, "yes, by b"},
		{"an unknown role in an unknown namespace", roleBinding("b", "null", "ClusterRole, name: lost", installerSubject), inX, "no, unknown lost"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			u := objectstest.Plain(t, tree{"a.yaml": base + test.text})
			if got := asked(rbac.Ask(u, nil, installer.Identity(), test.request)); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

func TestAskForGroups(t *testing.T) {
	t.Parallel()
	u := objectstest.Plain(t, tree{"a.yaml": clusterRole("pods", on("pods")) + clusterBinding("b", "ClusterRole, name: pods", "{kind: Group, name: admins}")})
	pods := rbac.Request{Verb: "get", Resource: "pods"}
	for _, test := range []struct {
		who  rbac.Identity
		want string
	}{
		{rbac.Identity{User: "jane", Groups: []string{"users", "admins"}}, "yes, by b"},
		{rbac.Identity{Groups: []string{"admins"}}, "yes, by b"},
		{rbac.Identity{User: "admins"}, "no"},
		{rbac.Identity{}, "no"},
	} {
		if got := asked(rbac.Ask(u, nil, test.who, pods)); got != test.want {
			t.Errorf("%v: %s, want %s", test.who, got, test.want)
		}
	}
}

// TestAskOnBehalfOfAnExtension checks that of two extensions of one name each has the nearer binding.
func TestAskOnBehalfOfAnExtension(t *testing.T) {
	t.Parallel()
	u := objectstest.Plain(t, tree{
		"prod/a.yaml": extension("argocd", "sa") + clusterBinding("prod", "ClusterRole, name: pods", installerSubject),
		"dev/a.yaml":  extension("argocd", "sa"),
		"roles.yaml":  clusterRole("pods", on("pods")),
		"eu/a.yaml":   clusterBinding("eu", "ClusterRole, name: view", installerSubject),
	})
	for file, want := range map[string]string{"prod/a.yaml": "yes, by prod", "dev/a.yaml": "no, uncertain eu"} {
		from := u.Object(file + "#0/")
		if from == nil {
			t.Fatal(file)
		}
		if got := asked(rbac.Ask(u, from, installer.Identity(), rbac.Request{Verb: "get", Resource: "pods"})); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		subject rbac.Subject
		want    rbac.Identity
	}{
		{installer, rbac.Identity{User: "system:serviceaccount:ns:sa", Groups: []string{"system:serviceaccounts", "system:authenticated", "system:serviceaccounts:ns"}}},
		{rbac.Subject{Kind: "User", Name: "system:serviceaccount:ns:sa"}, installer.Identity()},
		{rbac.Subject{Kind: "ServiceAccount", Name: "sa"}, rbac.Identity{User: "system:serviceaccount::sa", Groups: []string{"system:serviceaccounts", "system:authenticated"}}},
		{rbac.Subject{Kind: "User", Name: "jane"}, rbac.Identity{User: "jane", Groups: []string{"system:authenticated"}}},
		{rbac.Subject{Kind: "User", Name: "system:anonymous"}, rbac.Identity{User: "system:anonymous", Groups: []string{"system:unauthenticated"}}},
		{rbac.Subject{Kind: "User", Name: "olm:clusterextension:argocd"}, rbac.Identity{User: "olm:clusterextension:argocd", Groups: []string{"olm:clusterextensions", "system:authenticated"}}},
		{rbac.Subject{Kind: "Group", Name: "admins"}, rbac.Identity{Groups: []string{"admins"}}},
	} {
		if diff := cmp.Diff(test.want, test.subject.Identity()); diff != "" {
			t.Errorf("%v: %s", test.subject, diff)
		}
	}
	if (rbac.Identity{Groups: []string{"system:authenticated"}}).Privileged() || !(rbac.Identity{Groups: []string{"system:masters"}}).Privileged() {
		t.Error("only system:masters are privileged")
	}
}

func TestWhoCan(t *testing.T) {
	t.Parallel()
	u := objectstest.Plain(t, tree{"a.yaml": clusterRole("pods", on("pods")) +
		clusterBinding("one", "ClusterRole, name: pods", "{kind: User, name: jane}, {kind: Group, name: admins}, "+installerSubject) +
		roleBinding("two", "x", "ClusterRole, name: pods", "{kind: User, name: jane}") +
		roleBinding("three", "y", "ClusterRole, name: pods", "{kind: User, name: joe}") +
		roleBinding("four", "x", "ClusterRole, name: view", "{kind: User, name: joe}") +
		clusterBinding("five", "ClusterRole, name: lost", "{kind: User, name: jim}") +
		roleBinding("six", "null", "ClusterRole, name: pods", "{kind: User, name: jim}")})
	who := func(r rbac.Request) (list []string) {
		holders, unknown, _ := rbac.WhoCan(u, r)
		for _, h := range holders {
			list = append(list, fmt.Sprintf("%s %s by %s", h.Subject.Kind, h.Subject.Name, h.Binding.Object.Name))
		}
		for _, b := range unknown {
			list = append(list, "perhaps "+b.Object.Name)
		}
		return list
	}
	want := []string{
		"Group admins by one", "ServiceAccount sa by one", "User jane by one", "User jane by two", "User joe by four",
		"perhaps five", "perhaps six",
	}
	if diff := cmp.Diff(want, who(rbac.Request{Verb: "get", Resource: "pods", Namespace: "x"})); diff != "" {
		t.Error(diff)
	}
	want = []string{"perhaps four", "perhaps five"}
	if diff := cmp.Diff(want, who(rbac.Request{Verb: "delete", Resource: "pods", Namespace: "x"})); diff != "" {
		t.Error(diff)
	}
}
