package rbac_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

func TestScopesAndRoles(t *testing.T) {
	t.Parallel()
	const other = "{kind: ServiceAccount, name: sa}"
	tests := []struct{ name, text, want string }{ // scope and role
		{"cluster-wide", clusterBinding("b", "ClusterRole, name: r", installerSubject), `"" ClusterRole r in ""`},
		{"a ClusterRole in a namespace", roleBinding("b", "x", "ClusterRole, name: r", installerSubject), `"x" ClusterRole r in ""`},
		{"a Role", roleBinding("b", "x", "Role, name: r", installerSubject), `"x" Role r in "x"`},
		{"a subject gets the namespace of a RoleBinding", roleBinding("b", "ns", "Role, name: r", other), `"ns" Role r in "ns"`},
		{"but not that of another", roleBinding("b", "x", "Role, name: r", other), ""},
		{"a RoleBinding without a namespace", roleBinding("b", "null", "Role, name: r", installerSubject), `"?" Role r in "?"`},
		{"the apiGroup of the role", clusterBinding("b", "ClusterRole, apiGroup: rbac.authorization.k8s.io, name: r", installerSubject), `"" ClusterRole r in ""`},
		{"a wrong apiGroup of the role", clusterBinding("b", "ClusterRole, apiGroup: v1, name: r", installerSubject), ""},
		{"a Role cannot be bound cluster-wide", clusterBinding("b", "Role, name: r", installerSubject), ""},
		{"an unknown kind of role", clusterBinding("b", "Rolle, name: r", installerSubject), ""},
		{"no role", clusterBinding("b", "ClusterRole", installerSubject), ""},
		{
			"an older version", strings.Replace(clusterBinding("b", "ClusterRole, name: r", installerSubject), "k8s.io/v1", "k8s.io/v1beta1", 1),
			`"" ClusterRole r in ""`,
		},
		{
			"another group", strings.Replace(clusterBinding("b", "ClusterRole, name: r", installerSubject), "rbac.authorization.k8s.io", "example.com", 1), "",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			for _, b := range rbac.BindingsOf(objectstest.Plain(t, tree{"a.yaml": test.text}), nil, installer) {
				got += fmt.Sprintf("%q %s %s in %q", b.Scope, b.Role.Kind, b.Role.Name, b.Role.Namespace)
			}
			if got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

func TestBindingsAreInOrder(t *testing.T) {
	t.Parallel()
	u := objectstest.Plain(t, tree{
		"b.yaml": clusterBinding("third", "ClusterRole, name: r", "{kind: Group, name: 'system:serviceaccounts'}, "+installerSubject),
		"a.yaml": clusterBinding("first", "ClusterRole, name: r", installerSubject) + clusterBinding("second", "ClusterRole, name: r", "{kind: ServiceAccount, name: sa}"),
	})
	bindings := rbac.BindingsOf(u, nil, installer)
	if diff := cmp.Diff([]string{"first", "second", "third", "third"}, names(bindings)); diff != "" {
		t.Error(diff)
	}
	if bindings[2].SubjectIndex != 0 || bindings[3].SubjectIndex != 1 {
		t.Errorf("subjects %d and %d", bindings[2].SubjectIndex, bindings[3].SubjectIndex)
	}
}

func TestRoleObject(t *testing.T) {
	t.Parallel()
	bound := clusterBinding("b", "ClusterRole, name: r", installerSubject)
	inNamespace := roleBinding("b", "x", "Role, name: r", installerSubject)
	tests := []struct {
		name string
		tree tree
		want string // file of the role, or files of the tie
	}{
		{"none", tree{"prod/b.yaml": bound}, ""},
		{"anywhere", tree{"prod/b.yaml": bound, "rbac/r.yaml": clusterRole("r", "[]")}, "rbac/r.yaml"},
		{"the nearest", tree{"prod/b.yaml": bound, "prod/r.yaml": clusterRole("r", "[]"), "dev/r.yaml": clusterRole("r", "[]")}, "prod/r.yaml"},
		{"a tie", tree{"b.yaml": bound, "prod/r.yaml": clusterRole("r", "[]"), "dev/r.yaml": clusterRole("r", "[]")}, "tie dev/r.yaml prod/r.yaml"},
		{"a Role of the namespace", tree{"b.yaml": inNamespace, "r.yaml": role("r", "x", "[]")}, "r.yaml"},
		{"a Role of another namespace", tree{"b.yaml": inNamespace, "r.yaml": role("r", "y", "[]")}, ""},
		{"a Role of an unknown namespace", tree{"b.yaml": inNamespace, "r.yaml": role("r", "null", "[]")}, "r.yaml"},
		{"a ClusterRole is not a Role", tree{"b.yaml": inNamespace, "r.yaml": clusterRole("r", "[]")}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := rbac.BindingsOf(objectstest.Plain(t, test.tree), nil, installer)[0]
			got := ""
			if b.RoleObject != nil {
				got = b.RoleObject.File
			}
			for _, o := range b.RoleTie {
				got = strings.TrimSpace("tie "+strings.TrimPrefix(got, "tie ")) + " " + o.File
			}
			if got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestBindingsBelongToTheNearestExtension(t *testing.T) {
	t.Parallel()
	bound := func(name string) string { return clusterBinding(name, "ClusterRole, name: r", installerSubject) }
	synthetic := clusterBinding("synthetic", "ClusterRole, name: r", "{kind: User, name: 'olm:clusterextension:argocd'}")
	tr := tree{
		"prod/e.yaml": extension("argocd", "sa"),
		"dev/e.yaml":  extension("argocd", "sa"),
		"eu/e.yaml":   extension("argocd", "another"),
		"prod/b.yaml": bound("prod") + synthetic,
		"dev/b.yaml":  bound("dev"),
		"eu/b.yaml":   bound("eu"),
		"b.yaml":      bound("root"),
	}
	u := objectstest.Plain(t, tr)
	ties := func(file string, s rbac.Subject) []string {
		var all []string
		for _, b := range rbac.BindingsOf(u, u.Object(file+"#0/"), s) {
			all = append(all, fmt.Sprintf("%s %d", b.Object.Name, len(b.Tie)))
		}
		return all
	}
	// eu has no extension that refers to the account, so its binding is as near to prod as to dev.
	if diff := cmp.Diff([]string{"root 2", "eu 2", "prod 0"}, ties("prod/e.yaml", installer)); diff != "" {
		t.Errorf("prod: %s", diff)
	}
	if diff := cmp.Diff([]string{"root 2", "dev 0", "eu 2"}, ties("dev/e.yaml", installer)); diff != "" {
		t.Errorf("dev: %s", diff)
	}
	user := rbac.Subject{Kind: rbac.KindUser, Name: olm.User("argocd")}
	if diff := cmp.Diff([]string{"synthetic 0"}, ties("prod/e.yaml", user)); diff != "" {
		t.Errorf("prod, synthetic: %s", diff)
	}
	if got := ties("eu/e.yaml", user); got != nil {
		t.Errorf("eu has prod's synthetic binding: %v", got)
	}
	k := objectstest.Applied(t, tr)
	if got := rbac.BindingsOf(k, k.Objects[0], installer); len(got) != 4 {
		t.Errorf("in a kustomization %v", names(got))
	}
}

// TestNearnessDoesNotDependOnTheOrderOfQuestions checks that the namesakes that refer to the account are the same whichever
// is asked about first.
func TestNearnessDoesNotDependOnTheOrderOfQuestions(t *testing.T) {
	t.Parallel()
	tr := tree{
		"prod/e.yaml": extension("argocd", "sa"),
		"dev/e.yaml":  extension("argocd", "another"),
		"b.yaml":      clusterBinding("root", "ClusterRole, name: r", installerSubject),
	}
	for _, order := range [][]string{{"prod", "dev"}, {"dev", "prod"}} {
		u := objectstest.Plain(t, tr)
		ties := map[string]int{}
		for _, folder := range order {
			for _, b := range rbac.BindingsOf(u, u.Object(folder+"/e.yaml#0/"), installer) {
				ties[folder] = len(b.Tie)
			}
		}
		if diff := cmp.Diff(map[string]int{"prod": 0, "dev": 2}, ties); diff != "" {
			t.Errorf("%v: %s", order, diff)
		}
	}
}

func TestGrants(t *testing.T) {
	t.Parallel()
	u := objectstest.Plain(t, tree{
		"a.yaml": clusterBinding("one", "ClusterRole, name: r", installerSubject) +
			clusterBinding("again", "ClusterRole, name: r", "{kind: Group, name: 'system:serviceaccounts'}") +
			roleBinding("two", "x", "Role, name: r", installerSubject) +
			roleBinding("three", "x", "ClusterRole, name: r", installerSubject) +
			roleBinding("four", "a", "ClusterRole, name: r", installerSubject) +
			clusterBinding("other", "ClusterRole, name: other", "{kind: User, name: jane}"),
	})
	want := []rbac.Grant{
		{Role: rbac.RoleRef{Kind: "ClusterRole", Name: "r"}},
		{Role: rbac.RoleRef{Kind: "ClusterRole", Name: "r"}, Scope: "a"},
		{Role: rbac.RoleRef{Kind: "ClusterRole", Name: "r"}, Scope: "x"},
		{Role: rbac.RoleRef{Kind: "Role", Name: "r", Namespace: "x"}, Scope: "x"},
	}
	if diff := cmp.Diff(want, rbac.GrantsOf(rbac.BindingsOf(u, nil, installer))); diff != "" {
		t.Error(diff)
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	u := objectstest.Plain(t, tree{
		"prod/e.yaml": extension("argocd", "sa"),
		"dev/e.yaml":  extension("argocd", "sa"),
		"prod/b.yaml": clusterBinding("prod", "ClusterRole, name: r", installerSubject),
		"r.yaml":      clusterRole("r", "[{verbs: [get], apiGroups: [''], resources: [pods]}]"),
	})
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			if got := rbac.EffectiveRules(u, u.Object("prod/e.yaml#0/"), installer); len(got.Cluster) != 1 {
				t.Errorf("%v", got)
			}
		})
	}
	group.Wait()
}
