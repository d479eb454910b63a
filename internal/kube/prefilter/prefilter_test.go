package prefilter

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
)

func documents(text string) []*manifest.Document {
	return manifest.Scan("a.yaml", []byte(text)).Docs
}

func TestRead(t *testing.T) {
	t.Parallel()
	got, plain := Read(documents(`apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: web, namespace: "shop"}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: web
subjects:
- kind: ServiceAccount
  name: web
- {kind: Group, name: staff, apiGroup: rbac.authorization.k8s.io}
`)[0])
	want := &Facts{
		APIVersion: "rbac.authorization.k8s.io/v1", Kind: "RoleBinding", Namespace: "shop", Name: "web", RoleKind: "Role", RoleName: "web", RoleGroup: "rbac.authorization.k8s.io",
		Subjects: []Subject{{Kind: "ServiceAccount", Name: "web"}, {Kind: "Group", Name: "staff", APIGroup: "rbac.authorization.k8s.io"}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Facts{})); diff != "" || !plain {
		t.Errorf("plain is %v (-want +got):\n%s", plain, diff)
	}
}

// TestUncertain lists documents that must be parsed.
func TestUncertain(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"metadata: {namespace: 1}", "metadata: {namespace: true}", "metadata: {namespace: ''}", "metadata: {namespace: [a]}",
		"metadata: a", "metadata:\n  namespace: ${NS}", "metadata:\n  namespace: |\n    a", "roleRef: a", "roleRef: {kind: {a: b}}",
		"subjects: a", "subjects: {a: {kind: User}}", "subjects: [a]", "subjects: [{kind: {a: b}}]",
		"spec: {serviceAccountName: 1}", "spec: {serviceAccountName: $(NAME)}", "a: {b: {serviceAccountName: no}}",
	} {
		if facts, plain := Read(documents("apiVersion: v1\nkind: Pod\n" + text + "\n")[0]); plain {
			t.Errorf("%q is taken for plain: %+v", text, facts)
		}
	}
}

const repository = `apiVersion: v1
kind: ServiceAccount
metadata: {name: web, namespace: shop}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: anywhere}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: web, namespace: shop}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
---
apiVersion: example.com/v1
kind: ClusterRole
metadata: {name: other}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: queue, namespace: flux-system}
spec: {targetNamespace: queue}
`

func TestMayApply(t *testing.T) {
	t.Parallel()
	index := NewIndex()
	for _, doc := range documents(repository) {
		facts, plain := Read(doc)
		if !plain {
			t.Fatal(string(doc.Bytes()))
		}
		index.Add(facts)
	}
	index.AddAccountIn("shop")
	if facts, _ := Read(documents("apiVersion: v1\nkind: Pod\nspec: {serviceAccountName: wbe}\n")[0]); index.MayApply([]string{"pod-account-missing"}, facts) {
		t.Error("no account without a namespace can be missing where none of them is")
	}
	index.AddOpenAccount()
	pod := func(namespace, spec string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: a" + namespace + "}\nspec: {" + spec + "}\n"
	}
	binding := func(kind, namespace, role, subject string) string {
		return "apiVersion: rbac.authorization.k8s.io/v1\nkind: " + kind + "\nmetadata: {name: a" + namespace + "}\nroleRef: {" + role + "}\nsubjects: [{" + subject + "}]\n"
	}
	const shop, web, view = ", namespace: shop", "kind: ServiceAccount, name: web", "kind: ClusterRole, name: view"
	for _, c := range []struct {
		condition, text string
		want            bool
	}{
		{"pod-account-missing", pod(shop, "serviceAccountName: web"), false},
		{"pod-account-missing", pod(shop, "serviceAccountName: anywhere"), false},
		{"pod-account-missing", pod(shop, "serviceAccountName: wbe"), true},
		{"pod-account-missing", pod(shop, "serviceAccount: web"), true},
		{"pod-account-missing", pod(shop, "serviceAccountName: web, note: serviceAccount"), true},
		{"pod-account-missing", pod("", "serviceAccountName: wbe"), true},
		{"pod-account-missing", pod("", "serviceAccountName: web"), false},
		{"pod-account-missing", pod("", "serviceAccountName: anywhere"), false},
		{"pod-account-missing", pod(", namespace: void", "serviceAccountName: wbe"), false},
		{"pod-account-missing", pod(", namespace: void", "serviceAccountName: Web_1"), true},
		{"pod-account-missing", pod("", "serviceAccountName: shop/web"), true},
		{"subject-account-missing", binding("RoleBinding", shop, view, web), false},
		{"subject-account-missing", binding("RoleBinding", shop, view, web+", namespace: void"), true},
		{"subject-account-missing", binding("RoleBinding", shop, view, web+", namespace: queue"), false},
		{"subject-account-missing", binding("RoleBinding", shop, view, "kind: ServiceAccount, name: default, namespace: queue"), true},
		{"subject-account-missing", binding("ClusterRoleBinding", "", view, "kind: User, name: jane"), false},
		{"subject-account-missing", binding("ClusterRoleBinding", "", view, "kind: User, name: system:serviceaccount:shop:web"), true},
		{"subject-account-missing", binding("ClusterRoleBinding", "", view, "kind: Robot, name: web"), true},
		{"binding-invalid", binding("RoleBinding", shop, view, web), false},
		{"binding-invalid", binding("ClusterRoleBinding", "", view, web), true},
		{"binding-invalid", binding("ClusterRoleBinding", "", view, web+", namespace: shop"), false},
		{"binding-invalid", binding("ClusterRoleBinding", "", view, web+", namespace: shop, apiGroup: apps"), true},
		{"binding-invalid", binding("RoleBinding", shop, view, "kind: Group, name: a, apiGroup: rbac.authorization.k8s.io"), false},
		{"binding-invalid", binding("RoleBinding", shop, view, "kind: Group, name: a, apiGroup: apps"), true},
		{"binding-invalid", binding("RoleBinding", shop, view, "kind: group, name: a"), true},
		{"binding-invalid", binding("RoleBinding", shop, view, "kind: User"), true},
		{"binding-invalid", binding("RoleBinding", shop, view, "kind: ServiceAccount, name: 'shop:web'"), true},
		{"binding-invalid", binding("RoleBinding", shop, view, "kind: ServiceAccount, name: Web"), true},
		{"binding-invalid", binding("ClusterRoleBinding", "", "kind: Role, name: web", web+", namespace: shop"), true},
		{"binding-invalid", binding("RoleBinding", shop, "kind: clusterrole, name: view", web), true},
		{"binding-invalid", binding("RoleBinding", shop, "kind: ClusterRole", web), true},
		{"binding-invalid", binding("RoleBinding", shop, "apiGroup: v1, "+view, web), true},
		{"binding-invalid", binding("RoleBinding", shop, "apiGroup: rbac.authorization.k8s.io, "+view, web), false},
		{"role-missing", binding("RoleBinding", shop, "kind: Role, name: web", web), false},
		{"role-missing", binding("RoleBinding", ", namespace: void", "kind: Role, name: web", web), true},
		{"role-missing", binding("RoleBinding", "", "kind: Role, name: web", web), false},
		{"role-missing", binding("RoleBinding", shop, "kind: ClusterRole, name: web", web), true},
		{"role-missing", binding("RoleBinding", shop, "kind: ClusterRole, name: reader", web), false},
		{"role-missing", binding("RoleBinding", shop, "kind: ClusterRole, name: other", web), true},
		{"role-missing", binding("RoleBinding", shop, "name: reader", web), true},
		{"role-missing", strings.Replace(binding("RoleBinding", shop, view, web), "rbac.authorization.k8s.io", "authorization.openshift.io", 1), true},
		{"no-such-condition", pod(shop, "serviceAccountName: web"), true},
	} {
		doc := documents(c.text)[0]
		facts, plain := Read(doc)
		if !plain {
			t.Fatalf("%s is not plain", c.text)
		}
		if got := index.MayApply([]string{c.condition}, facts); got != c.want {
			t.Errorf("%s is %v of\n%s", c.condition, got, c.text)
		}
	}
}

func TestSelfContained(t *testing.T) {
	t.Parallel()
	const release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: shop}\n" +
		"spec:\n  chart:\n    spec:\n      chart: web\n      sourceRef: {kind: HelmRepository, name: charts}\n"
	for text, want := range map[string]bool{
		release: true,
		release + "  values: {service: {kind: Service}}\n":                                         true,
		release + "  dependsOn: [{name: queue}]\n":                                                 false,
		release + "  valuesFrom: [{kind: ConfigMap, name: web}]\n":                                 false,
		release + "  values: {host: web.$DOMAIN}\n":                                                false,
		strings.ReplaceAll(release, "HelmRepository", "GitRepository"):                             false,
		strings.ReplaceAll(release, "helm.toolkit.fluxcd.io", "example.com"):                       false,
		strings.ReplaceAll(release, "      sourceRef: {kind: HelmRepository, name: charts}\n", ""): false,
	} {
		doc := documents(text)[0]
		facts, plain := Read(doc)
		if got := plain && facts.SelfContained; got != want {
			t.Errorf("%v for\n%s", got, text)
		}
	}
}

// TestDocumented checks that docs/policies.md describes every condition.
func TestDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Conditions() {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/policies.md does not describe the condition %s", name)
		}
	}
}
