package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

func rule(verb string, resources ...string) []rbacv1.PolicyRule {
	return []rbacv1.PolicyRule{{Verbs: []string{verb}, APIGroups: []string{"apps"}, Resources: resources}}
}

// handedOver returns a report with a difference of every kind.
func handedOver() *permission.Report {
	account := rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: "argocd", Name: "argocd-installer"}
	user := rbac.Subject{Kind: rbac.KindUser, Name: "olm:clusterextension:argocd"}
	context := permission.Context{Kustomizations: []string{"prod"}, Why: []string{"remove spec.serviceAccount"}}
	everywhere := []rbacv1.PolicyRule{
		{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}},
		{Verbs: []string{"get"}, NonResourceURLs: []string{"/metrics"}},
	}
	var many []rbacv1.PolicyRule
	for i := range 7 {
		many = append(many, rule(fmt.Sprint("verb-", i), "deployments/scale", "statefulsets")...)
	}
	return &permission.Report{
		Made: true,
		Identities: []permission.Identity{
			{Subject: account, Context: context, Difference: permission.DifferenceIn(
				permission.Scope{Removed: everywhere, RemovedRoles: []rbac.RoleRef{{Kind: "ClusterRole", Name: "edit"}}},
				permission.Scope{Namespace: rbac.UnknownNamespace, Removed: rule("get", "deployments")},
			)},
			{Subject: user, Context: context, Difference: permission.DifferenceIn(permission.Scope{Namespace: "argocd", Added: many})},
		},
		Extensions: []permission.Extension{
			{Name: "argocd", File: "prod/argocd.yaml", From: account, To: user, Context: context},
			{Name: "loki", File: "prod/loki.yaml", From: account, To: account, Context: context, Difference: permission.DifferenceIn(permission.Scope{Added: rule("get", "deployments")})},
		},
	}
}

// Formats for programs contain the effects of fixes that are only offered; formats for people contain them when fixes are
// made or shown.
func TestPermissionsThatAreOnlyOffered(t *testing.T) {
	t.Parallel()
	r := fixed(t)
	r.Permissions.Made = false
	for _, format := range []string{"text", "github"} {
		if out := render(t, format, r, Options{}); bytes.Contains(out, []byte("ermissions")) {
			t.Errorf("%s reports permissions:\n%s", format, out)
		}
	}
}

func TestManyIdentitiesAreCut(t *testing.T) {
	t.Parallel()
	r := &permission.Report{}
	for i := range 13 {
		s := rbac.Subject{Kind: rbac.KindUser, Name: fmt.Sprintf("user-%02d", i)}
		gained := permission.DifferenceIn(permission.Scope{Added: rule("get", "pods"+string(rune('a'+i)))})
		r.Identities = append(r.Identities, permission.Identity{Subject: s, Difference: gained})
		r.Extensions = append(r.Extensions, permission.Extension{Name: s.Name, From: s, To: rbac.Subject{Kind: rbac.KindGroup, Name: "g"}, Difference: gained})
	}
	text := func(all bool) string {
		var b strings.Builder
		for _, line := range permissionLines(r, paths{}, all) {
			b.WriteString(line.text + "\n")
		}
		return b.String()
	}
	for _, want := range []string{"and 3 more extensions\n", "and 3 more identities\n", "user-09"} {
		if got := text(false); !strings.Contains(got, want) || strings.Contains(got, "user-10") {
			t.Errorf("got\n%s", got)
		}
	}
	if got := text(true); !strings.Contains(got, "User user-12") || strings.Contains(got, "more") {
		t.Errorf("all of them:\n%s", got)
	}
}

// What differs only in names is one line, and what differs in what can be done is not.
func TestIdentitiesThatAreAlike(t *testing.T) {
	t.Parallel()
	r := &permission.Report{}
	for _, name := range []string{"jane", "joe", "root"} {
		gained := permission.Scope{Added: rule("get", "pods")}
		if name == "root" {
			gained.Added = rule("create", "pods")
		}
		r.Identities = append(r.Identities, permission.Identity{Subject: rbac.Subject{Kind: rbac.KindUser, Name: name}, Difference: permission.DifferenceIn(gained)})
	}
	var got []string
	for _, line := range permissionLines(r, paths{}, false)[1:] {
		got = append(got, line.text)
	}
	want := []string{"  User jane; likewise joe", "cluster-wide: get pods.apps", "  User root", "cluster-wide: create pods.apps"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Extensions of one name are distinguished by what applies them or otherwise by their files.
func TestExtensionsOfOneName(t *testing.T) {
	t.Parallel()
	s, g := rbac.Subject{Kind: rbac.KindUser, Name: "jane"}, rbac.Subject{Kind: rbac.KindGroup, Name: "g"}
	r := &permission.Report{Extensions: []permission.Extension{
		{Name: "argocd", File: "dev/argocd.yaml", From: s, To: g},
		{Name: "argocd", File: "base/argocd.yaml", From: s, To: g, Context: permission.Context{Kustomizations: []string{"prod", "test"}}},
		{Name: "loki", File: "loki.yaml", From: s, To: g},
	}}
	lines := permissionLines(r, paths{}, false)
	for i, want := range []string{" (in dev/argocd.yaml)", " (in kustomization prod, test)", ", with the same permissions"} {
		if got := lines[i+1].text; !strings.HasSuffix(got, want) {
			t.Errorf("got %q, want it to end in %q", got, want)
		}
	}
}

// An identity or extension that occurs several times is distinguished by what applies it, without --verbose.
func TestSubjectsOfSeveralUnits(t *testing.T) {
	t.Parallel()
	account := rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: "argocd", Name: "installer"}
	lost := permission.DifferenceIn(permission.Scope{Removed: rule("get", "pods")})
	in := func(unit string) permission.Context { return permission.Context{Units: []string{unit}} }
	r := &permission.Report{
		Unlimited: []permission.Unlimited{
			{Name: "argocd", File: "a.yaml", Account: account, Admin: true, Context: in("Argo CD Application dev")},
			{Name: "argocd", File: "b.yaml", Account: account},
			{Name: "loki", File: "c.yaml", Account: account, Context: in("Argo CD Application dev")},
		},
		Identities: []permission.Identity{
			{Subject: account, Difference: lost, Context: in("Argo CD Application dev")},
			{Subject: account, Difference: lost, Context: in("Argo CD Application prod")},
			{Subject: rbac.Subject{Kind: rbac.KindUser, Name: "jane"}, Difference: lost, Context: in("Argo CD Application dev")},
		},
	}
	var got []string
	for _, line := range permissionLines(r, paths{}, false)[1:] {
		if line.mark == heading {
			_, place, _ := strings.Cut(line.text, " (in ")
			got = append(got, place)
		}
	}
	want := []string{"Argo CD Application dev)", "b.yaml)", "", "Argo CD Application dev)", "Argo CD Application prod)", ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
