package accesspolicy_test

import (
	"testing"
	"unicode/utf8"

	"github.com/salint/salint/internal/ask/accesspolicy"
	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

// FuzzManifest writes policies for names that the API server may reject: they stay names, and every subject is limited.
func FuzzManifest(f *testing.F) {
	for _, seed := range []string{"developers", "o'brien", `a\' || true || '`, "a\n---\nkind: x", "# ", "{{.Name}}", "ü\u2028\U0001f600", "'''", `\u0027`} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, subject, name string) {
		if subject == "" || !utf8.ValidString(subject) || !utf8.ValidString(name) {
			t.Skip("no manifest can contain it")
		}
		scope := accesspolicy.Scope{
			Subjects: []rbac.Subject{
				{Kind: rbac.KindGroup, Name: subject}, {Kind: rbac.KindServiceAccount, Namespace: "n", Name: subject}, {Kind: rbac.KindUser, Name: subject},
			},
			Extensions: []accesspolicy.Extension{{
				Package: name, Namespace: name, Version: name, Account: name, Labels: []accesspolicy.Label{{Key: name, Value: name}},
				Expressions: []accesspolicy.Expression{{Key: name, Operator: name, Values: []string{name, name}}},
			}},
			Catalogs: []accesspolicy.Catalog{{Name: name, Image: name}},
		}
		text, err := scope.Manifest(true)
		if err != nil {
			t.Fatal(err)
		}
		checkLimits(t, string(text), scope.Subjects)
	})
}

// checkLimits reads the output as any other manifest. It contains two objects of admission and two of RBAC.
func checkLimits(t *testing.T, text string, subjects []rbac.Subject) {
	t.Helper()
	objs := objectstest.In(t, "a.yaml", text)
	if len(objs) != 4 {
		t.Fatalf("%d objects\n%s", len(objs), text)
	}
	set := admission.New(objs)
	for _, s := range subjects {
		for _, resource := range accesspolicy.Resources {
			for _, operation := range []string{"CREATE", "UPDATE"} {
				attempt := admission.Attempt{Operation: operation, Group: accesspolicy.Group, Resource: resource}
				who := admission.RequesterOf(s, func(rbac.Request) (allowed, known bool) { return false, true })
				if verdict := set.Judge(who, attempt); verdict.State != admission.Limited {
					t.Fatalf("%v can %s %s: %v\n%s", s, operation, resource, verdict, text)
				}
			}
		}
	}
}
