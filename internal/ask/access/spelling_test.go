package access_test

import (
	"fmt"
	"testing"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/wordfilter"
	"github.com/salint/salint/internal/kube/rbac"
)

// A document with a name is read, however the name is written in YAML.
func TestKindsReadEverySpellingOfAName(t *testing.T) {
	t.Parallel()
	const binding = "apiVersion: rbac.authorization.k8s.io/v1\n%s\nmetadata: {name: b}\nroleRef: {kind: ClusterRole, name: r}\nsubjects:\n- kind: User\n  name: %s\n"
	const kind = "kind: ClusterRoleBinding"
	for _, test := range []struct{ user, kind, written string }{
		{"O'Brien", kind, "'O''Brien'"},
		{"O'Brien", kind, "O'Brien"},
		{"Domain Admins", kind, "Domain\n    Admins"},
		{"Domain Admins", kind, ">-\n    Domain\n    Admins"},
		{"Domain Admins", kind, "'Domain\n    Admins'"},
		{"jane", kind, "!!binary amFuZQ=="},
		{"jane", kind, "!<tag:yaml.org,2002:binary> amFuZQ=="},
		{"jane", kind, `"j\u0061ne"`},
		{"'", kind, "''''"},
		{"jane", `kind: "ClusterRole\u0042inding"`, "jane"},
		{"jane", "kind: !!binary Q2x1c3RlclJvbGVCaW5kaW5n", "jane"},
	} {
		who := rbac.Subject{Kind: rbac.KindUser, Name: test.user}.Identity()
		doc := manifest.Scan("a.yaml", fmt.Appendf(nil, binding, test.kind, test.written)).Docs[0]
		if !wordfilter.New(access.Kinds(who)).Matches(doc) {
			t.Errorf("%s as %s in %s is not read", test.user, test.written, test.kind)
		}
		if err := doc.Parse(); err != nil {
			t.Fatal(err)
		}
		if got := doc.Root.Lookup([]string{"subjects", "0", "name"}).String(); got != test.user {
			t.Errorf("%s is read as %q", test.written, got)
		}
	}
	doc := manifest.Scan("a.yaml", fmt.Appendf(nil, binding, kind, "john")).Docs[0]
	if wordfilter.New(access.Kinds(rbac.Subject{Kind: rbac.KindUser, Name: "jane"}.Identity())).Matches(doc) {
		t.Error("a binding of another identity is read")
	}
}
