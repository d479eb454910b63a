package objects_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
)

func TestAccountReferences(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string // what namespace/name path
	}{
		{"the account itself", account("ns", "sa"), []string{"account ns/sa "}},
		{
			"another kind of that name",
			"{apiVersion: example.com/v1, kind: ServiceAccount, metadata: {name: sa}}", nil,
		},
		{
			"a pod that sets both",
			"{apiVersion: v1, kind: Pod, metadata: {namespace: ns}, spec: {serviceAccountName: sa, serviceAccount: loser}}",
			[]string{"pod ns/sa spec.serviceAccountName"},
		},
		{
			"a pod with the alias",
			"{apiVersion: v1, kind: Pod, metadata: {namespace: ns}, spec: {serviceAccount: sa}}",
			[]string{"pod ns/sa spec.serviceAccount"},
		},
		{
			"a pod without an account and a namespace",
			"{apiVersion: v1, kind: Pod, spec: {containers: []}}",
			[]string{"pod-default /default spec"},
		},
		{
			"a user name in the arguments of a container",
			"{apiVersion: v1, kind: Pod, metadata: {namespace: ns}, spec: {serviceAccountName: sa, containers: [{args: ['system:serviceaccount:a:b', x]}]}}",
			[]string{"pod ns/sa spec.serviceAccountName", "user a/b spec.containers[0].args[0]"},
		},
		{
			"a token Secret",
			"{apiVersion: v1, kind: Secret, type: kubernetes.io/service-account-token, metadata: {namespace: ns, annotations: {kubernetes.io/service-account.name: sa}}}",
			[]string{`token-secret ns/sa metadata.annotations["kubernetes.io/service-account.name"]`},
		},
		{
			"another Secret",
			"{apiVersion: v1, kind: Secret, type: Opaque, metadata: {annotations: {kubernetes.io/service-account.name: sa}}}", nil,
		},
		{
			"a token Secret without the annotation",
			"{apiVersion: v1, kind: Secret, type: kubernetes.io/service-account-token, metadata: {name: a}}", nil,
		},
		{
			"subjects of a RoleBinding",
			`{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {namespace: ns}, subjects: [
				{kind: ServiceAccount, name: a}, {kind: ServiceAccount, name: b, namespace: other},
				{kind: User, name: "system:serviceaccount:ns:c"}, {kind: User, name: jane}, {kind: Group, name: g}]}`,
			[]string{"subject ns/a subjects[0].name", "subject other/b subjects[1].name", "subject ns/c subjects[2].name"},
		},
		{
			"a subject of a ClusterRoleBinding without a namespace",
			"{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, subjects: [{kind: ServiceAccount, name: a}]}",
			[]string{"subject /a subjects[0].name"},
		},
		{
			"an extension",
			extension("argocd", "ns", "sa"),
			[]string{"extension ns/sa spec.serviceAccount.name"},
		},
		{
			"an extension in an older layout",
			"{apiVersion: olm.operatorframework.io/v1alpha1, kind: ClusterExtension, metadata: {name: a}, spec: {install: {namespace: ns, serviceAccount: {name: sa}}}}",
			[]string{"extension ns/sa spec.install.serviceAccount.name"},
		},
		{
			"an extension without an account",
			"{apiVersion: olm.operatorframework.io/v1, kind: ClusterExtension, metadata: {name: a}, spec: {namespace: ns}}", nil,
		},
		{
			"Flux",
			"{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {namespace: flux}, spec: {serviceAccountName: sa}}",
			[]string{"field flux/sa spec.serviceAccountName"},
		},
		{
			"SecurityContextConstraints",
			"{apiVersion: security.openshift.io/v1, kind: SecurityContextConstraints, users: ['system:serviceaccount:ns:sa', 'system:admin', 'system:serviceaccount:broken']}",
			[]string{"user ns/sa users[0]"},
		},
		{
			"custom resources",
			`{apiVersion: example.com/v1, kind: Store, metadata: {namespace: ns}, spec: {
				serviceAccount: {name: a}, deep: [{serviceAccountRef: {name: b, namespace: other}}, {serviceAccount: "system:serviceaccount:x:c"}],
				more: {serviceAccount: {create: true}}, empty: {serviceAccountName: ""}}}`,
			[]string{"field ns/a spec.serviceAccount.name", "field other/b spec.deep[0].serviceAccountRef.name", "user x/c spec.deep[1].serviceAccount"},
		},
		{
			"a CRD that describes the field",
			`{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {schema: {properties: {
				serviceAccountName: {type: string}, serviceAccount: {properties: {name: {type: string}}}}}}}`, nil,
		},
		{
			"by alias",
			"{apiVersion: example.com/v1, kind: Store, metadata: {name: &n sa}, spec: {serviceAccountName: *n}}",
			[]string{"field /sa spec.serviceAccountName"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, ref := range objects.AccountReferences(one(t, test.text)) {
				got = append(got, fmt.Sprintf("%s %s/%s %s", ref.What, ref.Account.Namespace, ref.Account.Name, ref.Path))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnitReferences(t *testing.T) {
	t.Parallel()
	pod := func(namespace, name string) string {
		return manifestOf("v1", "Pod", namespace, "p") + "spec: {serviceAccountName: " + name + "}\n"
	}
	u := objectstest.Plain(t, tree{
		"a.yaml": pod("x", "sa"),
		"b.yaml": pod("", "sa"),
		"c.yaml": pod("y", "sa"),
		"d.yaml": pod("x", "other"),
		"e.yaml": account("x", "sa"),
	})
	for asked, want := range map[objects.Account][]string{
		{Namespace: "x", Name: "sa"}:   {"a.yaml", "b.yaml", "e.yaml"},
		{Namespace: "z", Name: "sa"}:   {"b.yaml"},
		{Namespace: "", Name: "sa"}:    {"a.yaml", "b.yaml", "c.yaml", "e.yaml"},
		{Namespace: "x", Name: "none"}: nil,
	} {
		var got []string
		for _, ref := range u.References(asked) {
			got = append(got, ref.Object.File)
			if !ref.Account.Matches(asked) {
				t.Errorf("%v does not match %v", ref.Account, asked)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v: %s", asked, diff)
		}
	}
}

// TestUnitReferencesAgainstAScan checks that the index returns the same references as a scan of every object.
func TestUnitReferencesAgainstAScan(t *testing.T) {
	t.Parallel()
	tr := tree{}
	for i := range 60 {
		namespaces, names := []string{"", "x", "y"}, []string{"a", "b"}
		tr[fmt.Sprintf("%d.yaml", i)] = manifestOf("v1", "Pod", namespaces[i%3], "p") +
			"spec: {serviceAccountName: " + names[i%2] + "}\n"
	}
	u := objectstest.Plain(t, tr)
	for _, asked := range []objects.Account{{Namespace: "x", Name: "a"}, {Namespace: "", Name: "b"}, {Namespace: "z", Name: "b"}} {
		var want []*objects.Object
		for _, o := range u.Objects {
			for _, ref := range objects.AccountReferences(o) {
				if ref.Account.Matches(asked) {
					want = append(want, o)
				}
			}
		}
		var got []*objects.Object
		for _, ref := range u.References(asked) {
			got = append(got, ref.Object)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", asked, fileNames(got), fileNames(want))
		}
	}
}

func TestParseUser(t *testing.T) {
	t.Parallel()
	want := objects.Account{Namespace: "ns", Name: "sa"}
	if got, ok := objects.ParseUser(want.User()); !ok || got != want {
		t.Errorf("%v, %v", got, ok)
	}
	for _, user := range []string{"", "jane", "system:serviceaccount:", "system:serviceaccount:a", "system:serviceaccount::b", "system:serviceaccount:a:", "system:serviceaccount:a:b:c", "system:serviceaccounts:a:b"} {
		if got, ok := objects.ParseUser(user); ok {
			t.Errorf("%q is the account %v", user, got)
		}
	}
}
