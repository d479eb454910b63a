package preflight

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

func TestGrant(t *testing.T) {
	t.Parallel()
	rule := func(verbs, group, resource string, names ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{
			Verbs: strings.Split(verbs, ","), APIGroups: []string{group}, Resources: []string{resource}, ResourceNames: names,
		}
	}
	tests := map[string]struct {
		missing []Scoped
		want    string
	}{
		"none": {},
		"what another rule covers": {
			missing: []Scoped{{"", []rbacv1.PolicyRule{rule("get,list", "", "pods", "a"), rule("get", "", "pods"), rule("*", "apps", "*"), rule("get", "apps", "deployments/scale")}}},
			want:    ": get /pods\n: list /pods a\n: * apps/*\n",
		},
		"what is granted everywhere": {
			missing: []Scoped{{"", []rbacv1.PolicyRule{rule("get", "", "pods")}}, {"harbor", []rbacv1.PolicyRule{rule("get", "", "pods", "a")}}},
			want:    ": get /pods\n",
		},
		"names and resources with the same verbs": {
			missing: []Scoped{{"harbor", []rbacv1.PolicyRule{
				rule("get", "", "pods", "b"), rule("get", "", "pods", "a"), rule("create", "", "pods"), rule("create", "", "secrets"),
			}}},
			want: "harbor: get /pods a,b\nharbor: create /pods,secrets\n",
		},
		"a URL in a namespace": {
			missing: []Scoped{{"harbor", []rbacv1.PolicyRule{{Verbs: []string{"get"}, NonResourceURLs: []string{"/metrics"}}}}},
			want:    ": get /metrics\n",
		},
		"a URL within another": {
			missing: []Scoped{{"", []rbacv1.PolicyRule{
				{Verbs: []string{"get"}, NonResourceURLs: []string{"/apis/x"}}, {Verbs: []string{"get"}, NonResourceURLs: []string{"/apis/*"}},
				{Verbs: []string{"get"}, NonResourceURLs: []string{"/a*"}},
			}}},
			want: ": get /a*\n",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, lines(Grant(test.missing))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func grantee(in Input) Grantee {
	return Grantee{Extension: in.Extension, Identity: in.Identity, Unit: in.Unit, From: in.From}
}

func TestManifests(t *testing.T) {
	t.Parallel()
	in := input(t, configMap, "")
	in.Finalizers = Finalizers{"clusterextensions", "harbor"}
	got := string(Manifests(grantee(in), check(t, in).Missing))
	want := `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: olm-clusterextension-harbor-preflight
  labels:
    app.kubernetes.io/managed-by: salint
rules:
- apiGroups: [olm.operatorframework.io]
  resources: [clusterextensions/finalizers]
  resourceNames: [harbor]
  verbs: [update]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: olm-clusterextension-harbor-preflight
  labels:
    app.kubernetes.io/managed-by: salint
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: olm-clusterextension-harbor-preflight
subjects:
- kind: ServiceAccount
  name: installer
  namespace: harbor
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: olm-clusterextension-harbor-preflight
  namespace: harbor
  labels:
    app.kubernetes.io/managed-by: salint
rules:
- apiGroups: [""]
  resources: [configmaps]
  verbs: [create]
- apiGroups: [""]
  resources: [configmaps]
  resourceNames: [settings]
  verbs: [delete, get, patch, update]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: olm-clusterextension-harbor-preflight
  namespace: harbor
  labels:
    app.kubernetes.io/managed-by: salint
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: olm-clusterextension-harbor-preflight
subjects:
- kind: ServiceAccount
  name: installer
  namespace: harbor
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestManifestsComeWithTheirExtension(t *testing.T) {
	t.Parallel()
	in := input(t, configMap, "")
	in.From = objectstest.In(t, "manifests.yaml", `
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: harbor
  annotations: {argocd.argoproj.io/sync-wave: "5", example.com/other: x}
`)[0]
	got := string(Manifests(grantee(in), check(t, in).Missing))
	want := "  annotations:\n    argocd.argoproj.io/sync-wave: \"5\"\n"
	if strings.Count(got, want) != 2 || strings.Contains(got, "other") {
		t.Errorf("got\n%s", got)
	}
}

// Applying the manifests leaves nothing missing, for any identity and any missing permissions, and does not overwrite
// earlier manifests.
func TestManifestsCloseTheGap(t *testing.T) {
	t.Parallel()
	user := rbac.Subject{Kind: rbac.KindUser, Name: "olm:clusterextension:harbor"}.Identity()
	for seed := range uint64(60) {
		g := generator{rand.New(rand.NewPCG(seed, 1))}
		grants := bound([]string{"", "harbor"}[g.IntN(2)], g.rules())
		in := input(t, g.manifests(), grants)
		in.CollectionVerbs = []string{"list", "watch"}
		in.Finalizers = Finalizers{"clusterextensions", "harbor"}
		if seed%2 == 1 {
			in.Identity = user
		}
		if seed%3 == 1 {
			in.Escalation = Verbs
		}
		for round := range 2 {
			text := string(Manifests(grantee(in), check(t, in).Missing))
			if text != "" {
				grants += "---\n" + text
			}
			in.Unit = repository(t, grants)
			if left := check(t, in).Missing; len(left) > 0 {
				t.Fatalf("seed %d, round %d: still missing\n%s\nafter\n%s", seed, round, lines(left), text)
			}
			in.Objects = bundle(t, g.manifests())
		}
	}
}

// A minimal installer has no permission that it does not need.
func TestAllIsNotTooMuch(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		g := generator{rand.New(rand.NewPCG(seed, 2))}
		in := input(t, g.manifests(), "")
		in.Unit = repository(t, string(Manifests(grantee(in), check(t, in).Needed)))
		result := check(t, in)
		if len(result.Missing)+len(result.Unneeded) > 0 {
			t.Fatalf("seed %d: missing\n%sunneeded\n%s", seed, lines(result.Missing), lines(result.Unneeded))
		}
	}
}

// generator generates bundles and rules.
type generator struct{ *rand.Rand }

func (g generator) of(words ...string) string { return words[g.IntN(len(words))] }

func (g generator) rules() string {
	var rules []string
	for range 1 + g.IntN(3) {
		if g.IntN(6) == 0 {
			rules = append(rules, fmt.Sprintf(`{nonResourceURLs: [%q], verbs: [%q]}`, g.of("/metrics", "/apis/*", "*"), g.of("get", "*")))
			continue
		}
		names := ""
		if g.IntN(3) == 0 {
			names = fmt.Sprintf("resourceNames: [%q], ", g.of("a", "b"))
		}
		rules = append(rules, fmt.Sprintf(`{apiGroups: [%q, %q], resources: [%q, %q], %sverbs: [%q, %q]}`,
			g.of("", "apps", "*"), g.of("", "apps", "rbac.authorization.k8s.io"), g.of("pods", "deployments", "*", "*/scale"),
			g.of("deployments/scale", "roles", "clusterroles"), names, g.of("get", "bind", "*"), g.of("get", "create", "escalate")))
	}
	return "[" + strings.Join(rules, ", ") + "]"
}

func (g generator) manifests() string {
	var docs []string
	add := func(format string, args ...any) { docs = append(docs, fmt.Sprintf(format, args...)) }
	for range g.IntN(3) {
		add("{apiVersion: apps/v1, kind: Deployment, metadata: {name: %s, namespace: %s}}", g.of("a", "b"), g.of("harbor", "other"))
	}
	for range 1 + g.IntN(2) {
		add("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: %s}, rules: %s}", g.of("r", "s"), g.rules())
	}
	// A Role has no rules for URLs.
	add("{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: r, namespace: harbor}, "+
		"rules: [{apiGroups: [%q], resources: [pods], verbs: [%q]}]}", g.of("", "*"), g.of("get", "*"))
	for range 1 + g.IntN(3) {
		kind := g.of("RoleBinding", "ClusterRoleBinding")
		add("{apiVersion: rbac.authorization.k8s.io/v1, kind: %s, metadata: {name: %s, namespace: harbor}, "+
			"roleRef: {kind: ClusterRole, name: %s}, subjects: []}", kind, g.of("a", "b"), g.of("r", "s", "view", "nobody-knows"))
	}
	return strings.Join(docs, "\n---\n")
}

// A large operator with an installer that has all of its permissions is the slowest case.
func TestLarge(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("large")
	}
	in := input(t, largeRole(2000), "")
	needed := check(t, in).Needed
	in.Unit = repository(t, string(Manifests(grantee(in), needed)))
	if missing := check(t, in).Missing; len(missing) > 0 {
		t.Errorf("missing %d", len(missing[0].Rules))
	}
}

func largeRole(rules int) string {
	var b strings.Builder
	b.WriteString("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: large}\nrules:\n")
	for i := range rules {
		fmt.Fprintf(&b, "- {apiGroups: [g%d.example.com], resources: [things%d, things%d/status], verbs: [get, list, watch, create, update, patch, delete]}\n", i%50, i, i)
	}
	return b.String()
}

func BenchmarkCheck(b *testing.B) {
	t := &testing.T{}
	in := input(t, largeRole(2000), "")
	in.Unit = repository(t, string(Manifests(grantee(in), check(t, in).Needed)))
	for b.Loop() {
		check(t, in)
	}
}
