package session

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
)

// foundIn lints a tree: with everything, it parses all documents that rules judge; otherwise it skips what the prefilter selects.
func foundIn(t *testing.T, files tree, enable []string, everything bool) (found []string, evaluations int) {
	t.Helper()
	out, err := Run(context.Background(), Options{
		PolicyCache: policies, Tree: loadertest.Repository{Tree: files}, Config: settings.Default(), Target: "olm-1.11", Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC), Enable: enable, everything: everything,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range out.Findings {
		found = append(found, toldOf(f))
	}
	return found, out.Evaluations
}

func toldOf(f finding.Finding) string {
	text := fmt.Sprintf("%s:%d:%d %s %s %s", f.File, f.Range.Line, f.Range.Column, f.Severity, f.Rule, f.Message)
	for _, r := range f.Related {
		text += fmt.Sprintf("\n  %s:%d %s", r.File, r.Line, r.Message)
	}
	return text
}

// writer generates manifests. Most objects to which they refer exist.
type writer struct{ *rand.Rand }

func pick[T any](w writer, of ...T) T { return of[w.IntN(len(of))] }

func (w writer) namespace() string { return fmt.Sprintf("team-%d", w.IntN(6)) }

func (w writer) name() string { return pick(w, "web", "queue", "store", "default", "admin") }

// rules returns the rules of a role. Some of them allow escalation.
func (w writer) rules() string {
	return "rules: [{apiGroups: [\"\", rbac.authorization.k8s.io], resources: [pods, roles, users], verbs: [" + pick(w, "get", "get", "escalate", "impersonate") + "]}]\n"
}

// text returns a scalar in one of its spellings, most often the plain one.
func (w writer) text(text string) string {
	if w.IntN(30) > 0 {
		return text
	}
	return fmt.Sprintf(pick(w, `"%s"`, `'%s'`, "!!str %s", "&it %s", "%s # so", `"\x%[2]x%[3]s"`, "|-\n          %s", "\n          %s", "${NAME}-%s", "NAME"),
		text, text[0], text[1:])
}

// metadata returns metadata, most often with a namespace.
func (w writer) metadata(name string) string {
	text := "metadata:\n  name: " + w.text(name) + "\n"
	if w.IntN(8) > 0 {
		text += "  namespace: " + w.text(w.namespace()) + "\n"
	}
	return text
}

func (w writer) document() string {
	const rbac = "apiVersion: rbac.authorization.k8s.io/v1\n"
	name := w.name()
	switch w.IntN(16) {
	case 0, 1:
		return "apiVersion: v1\nkind: " + pick(w, "ServiceAccount", "ServiceAccount", w.text("ServiceAccount")) + "\n" + w.metadata(name)
	case 2, 3:
		return rbac + "kind: Role\n" + w.metadata(name) + w.rules()
	case 4:
		return rbac + "kind: ClusterRole\nmetadata: {name: " + w.text(name) + ", labels: {part: " + pick(w, "a", "b") + "}}\n" +
			pick(w, w.rules(), w.rules(), w.rules()+"aggregationRule: {clusterRoleSelectors: [{matchLabels: {part: b}}]}\n")
	case 5, 6, 7, 8:
		return rbac + "kind: " + pick(w, "RoleBinding", "RoleBinding", "ClusterRoleBinding") + "\n" + w.metadata(name) +
			"roleRef:\n  apiGroup: " + w.group() + "\n  kind: " + w.roleKind() + "\n  name: " +
			w.text(pick(w, name, "view", "missing")) + "\n" + w.subjects()
	case 9, 10, 11, 12:
		field := pick(w, "serviceAccountName", "serviceAccountName", "serviceAccountName", `"serviceAccountName"`, `"service\x41ccountName"`, "serviceAccount")
		return "apiVersion: apps/v1\nkind: Deployment\n" + w.metadata(name) +
			"spec:\n  template:\n    spec:\n      " + field + ": " + w.text(pick(w, name, "missing")) + "\n" +
			pick(w, "", "      automountServiceAccountToken: false\n") +
			pick(w, "", "", "      volumes: [{name: key, secret: {secretName: "+w.name()+"}}]\n")
	case 13:
		return "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n" + w.metadata(name) + w.chart()
	case 14:
		return pick(w, "apiVersion: v1\nkind: Secret\n"+w.metadata(name)+"  annotations: {kubernetes.io/service-account.name: "+w.name()+"}\ntype: kubernetes.io/service-account-token\n",
			"apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: "+name+"}\nspec: {namespace: team-1, serviceAccount: {name: "+name+"}, "+
				"source: {sourceType: Catalog, catalog: {packageName: x}}}\n",
			"apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\n"+w.metadata("charts")+"spec: {url: \"https://example.com/"+pick(w, "charts", "operators")+"\"}\n")
	}
	inner := strings.ReplaceAll(strings.TrimSpace(w.plain()), "\n", "\n  ")
	return "apiVersion: v1\nkind: List\nitems:\n- " + inner + "\n"
}

// plain returns a document that is not a list.
func (w writer) plain() string {
	for {
		if text := w.document(); !strings.Contains(text, "List") {
			return text
		}
	}
}

// roleKind returns the kind of a role, sometimes with a mistake.
func (w writer) roleKind() string {
	if w.IntN(30) == 0 {
		return "clusterrole"
	}
	return pick(w, "Role", "ClusterRole")
}

// group returns the API group of the role of a binding, sometimes with a mistake.
func (w writer) group() string {
	if w.IntN(30) == 0 {
		return "rbac.authorization.k8s.io/v1"
	}
	return "rbac.authorization.k8s.io"
}

func (w writer) subjects() string {
	text := "subjects:\n"
	for range 1 + w.IntN(2) {
		switch w.IntN(24) {
		case 2:
			text += pick(w, "- kind: user\n  name: jane\n", "- kind: User\n", "- name: jane\n", "- kind: Group\n  name: ''\n",
				"- {kind: ServiceAccount, name: 'team-1:web', namespace: team-1}\n", "- {kind: ServiceAccount, name: Web_1, namespace: team-1}\n")
		case 0:
			text += "- kind: User\n  name: " + w.text(pick(w, "jane", "system:serviceaccount:team-1:missing", "olm:clusterextension:web")) + "\n"
		case 1:
			text += "- {kind: Group, name: staff, apiGroup: " + pick(w, "rbac.authorization.k8s.io", "apps") + "}\n"
		default:
			text += "- kind: ServiceAccount\n  name: " + w.text(pick(w, w.name(), w.name(), "missing")) + "\n"
			if w.IntN(6) > 0 {
				text += "  namespace: " + w.text(w.namespace()) + "\n"
			}
		}
	}
	return text
}

func (w writer) chart() string {
	text := "spec:\n"
	if w.IntN(3) == 0 {
		text += "  targetNamespace: " + w.text(w.namespace()) + "\n"
	}
	if w.IntN(4) == 0 {
		text += "  dependsOn:\n  - name: " + w.name() + "\n"
	}
	return text + "  chart:\n    spec:\n      chart: " + pick(w, "web", "web", "operator") + "\n      sourceRef:\n        kind: " +
		pick(w, "HelmRepository", "HelmRepository", "GitRepository") + "\n        name: charts\n"
}

// repository returns a tree of several folders. Some of them have a kustomization or an application.
func (w writer) repository() tree {
	files := tree{}
	for i := range pick(w, 40, 40, 6) {
		var docs []string
		for range 1 + w.IntN(3) {
			docs = append(docs, w.document())
		}
		text := strings.Join(docs, "---\n")
		if w.IntN(12) == 0 {
			text += "# salint:ignore rbac/* because it is so\n"
		}
		files[fmt.Sprintf(pick(w, "d%d/f%d.yaml", "d%d/f%d.yaml", "d%d/sub/f%d.yaml"), w.IntN(5), i)] = text
	}
	for i := range 20 {
		docs := slices.DeleteFunc(strings.Split(application(i), "---\n"), func(string) bool { return w.IntN(12) == 0 })
		files[fmt.Sprintf("d%d/a%d.yaml", w.IntN(5), i)] = strings.Join(docs, "---\n")
	}
	for _, dir := range []string{"d0", "d1"} {
		if w.IntN(3) > 0 {
			continue
		}
		text := "resources:\n"
		for name := range files {
			if strings.HasPrefix(name, dir+"/") && w.IntN(2) == 0 {
				text += "- " + strings.TrimPrefix(name, dir+"/") + "\n"
			}
		}
		files[dir+"/kustomization.yaml"] = text + pick(w, "", "namespace: team-2\n", "namePrefix: x-\n")
	}
	switch w.IntN(8) {
	case 0:
		files["d2/Chart.yaml"] = "apiVersion: v2\nname: d2\n"
	case 1:
		files["apps/app.yaml"] = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec:\n" +
			"  source: {repoURL: https://example.com/x.git, path: d3}\n  destination: {namespace: team-3}\n"
	}
	return files
}

// TestPrefilter checks that skipping documents changes no findings.
func TestPrefilter(t *testing.T) {
	t.Parallel()
	skipped, total := 0, 0
	for seed := range uint64(5) {
		comparePrefilter(t, writer{rand.New(rand.NewPCG(seed, 1))}.repository(), &skipped, &total)
	}
	if skipped*5 < total {
		t.Errorf("only %d of %d evaluations were skipped", skipped, total)
	}
}

func comparePrefilter(t *testing.T, files tree, skipped, total *int) {
	t.Helper()
	var enable []string
	if len(files)%2 == 0 {
		enable = []string{"pod/token-mounted"}
	}
	want, all := foundIn(t, files, enable, true)
	got, some := foundIn(t, files, enable, false)
	*skipped, *total = *skipped+all-some, *total+all
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-everything +skipped):\n%s", diff)
	}
}

// FuzzPrefilter checks the same for generated repositories.
func FuzzPrefilter(f *testing.F) {
	f.Add(uint64(1), uint64(1))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		var skipped, total int
		comparePrefilter(t, writer{rand.New(rand.NewPCG(a, b))}.repository(), &skipped, &total)
	})
}

// TestUserOfToken finds the pod that mounts a token, although its document contains no word of a rule.
func TestUserOfToken(t *testing.T) {
	t.Parallel()
	out := lintTree(t, tree{
		"secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: key, namespace: web, annotations: {kubernetes.io/service-account.name: robot}}\n" +
			"type: kubernetes.io/service-account-token\n",
		"pod.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: web}\n" +
			"spec: {template: {spec: {volumes: [{name: key, secret: {secretName: key}}]}}}\n",
	}, "olm-1.11")
	for _, f := range out.Findings {
		if f.Rule == "token/secret-mounted" && f.File == "pod.yaml" {
			return
		}
	}
	t.Errorf("found %v", out.Findings)
}

// TestReleaseBelowBinding finds the chart that may install the ClusterRole of a binding by its folder: no name leads to it.
func TestReleaseBelowBinding(t *testing.T) {
	t.Parallel()
	const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: %s, namespace: charts}
spec: {chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: charts}}}}
`
	const binding = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: readers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects: [{kind: User, name: jane, apiGroup: rbac.authorization.k8s.io}]
`
	for _, test := range []struct {
		file  string
		found bool
	}{
		{"team/web.yaml", false}, {"team/charts/deep/web.yaml", false}, {"teams/web.yaml", true}, {"web.yaml", true},
	} {
		out := lintTree(t, tree{
			"a/first.yaml":      fmt.Sprintf(release, "first"),
			"team/binding.yaml": binding,
			test.file:           fmt.Sprintf(release, "web"),
		}, "olm-1.11")
		found := slices.ContainsFunc(out.Findings, func(f finding.Finding) bool { return f.Rule == "rbac/role-not-found" })
		if found != test.found {
			t.Errorf("release in %s: found %v, want %v", test.file, found, test.found)
		}
	}
}
