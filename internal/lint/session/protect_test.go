package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/lint/fixing"
)

// checkOut writes files, and symbolic links for those that begin with "-> ", and opens them as a repository.
// origin is the configuration of git with the remote of this repository.
const origin = "[remote \"origin\"]\n\turl = https://example.com/x\n"

func checkOut(t *testing.T, files map[string]string) loader.Tree {
	t.Helper()
	dir := t.TempDir()
	files[".git/HEAD"] = ""
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, link := strings.CutPrefix(text, "-> "); link {
			err = os.Symlink(target, name)
		} else {
			err = os.WriteFile(name, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	r, err := repo.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return loader.FromRepo(r)
}

// TestSymbolicLinks checks that a file that is used through a symbolic link is edited only if what uses it can be built.
func TestSymbolicLinks(t *testing.T) {
	t.Parallel()
	const patch = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: harbor}\n" +
		"spec: {serviceAccount: {name: other}}\n"
	tests := []struct {
		name  string
		files map[string]string
		want  string // of the reason; "" where it is fixed
	}{
		{"a folder", map[string]string{"lnk": "-> base", "n/kustomization.yaml": "resources: [../lnk]\n"}, ""},
		{"a folder around it", map[string]string{"top": "-> .", "n/kustomization.yaml": "resources: [../top/base]\n"}, ""},
		{"a file of another folder", map[string]string{"n/ext.yaml": "-> ../base/ext.yaml", "n/kustomization.yaml": "resources: [ext.yaml]\n"}, "the kustomization n could not be built"},
		{"a file of its folder", map[string]string{"base/lnk.yaml": "-> ext.yaml", "base/kustomization.yaml": "resources: [lnk.yaml]\nnamePrefix: a-\n"}, ""},
		{"a patch", map[string]string{
			"o/kustomization.yaml": "resources: [../base]\npatches: [{path: p.yaml}]\n", "o/p.yaml": "-> real/p.yaml", "o/real/p.yaml": patch,
		}, "uses it through the symbolic link o/p.yaml"},
		{"a template of a chart", map[string]string{
			"chart/Chart.yaml": "apiVersion: v2\nname: harbor\nversion: 1.0.0\n", "chart/templates/ext.yaml": "-> ../../base/ext.yaml",
		}, "the chart chart uses it through the symbolic link chart/templates/ext.yaml"},
		{"a template below a folder of a chart", map[string]string{
			"Chart.yaml": "apiVersion: v2\nname: harbor\nversion: 1.0.0\n", "templates/all": "-> ../base", "templates/x.yaml": "",
		}, "the chart . uses it through the symbolic link templates/all"},
		{"a link beside a chart", map[string]string{
			"chart/Chart.yaml": "apiVersion: v2\nname: harbor\nversion: 1.0.0\n", "other/ext.yaml": "-> ../base/ext.yaml",
		}, ""},
		{"a file in a directory that Argo CD applies", map[string]string{
			"app.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: harbor, namespace: argocd}\n" +
				"spec: {source: {repoURL: 'https://example.com/x', path: apps}, destination: {namespace: harbor}}\n",
			"apps/ext.yaml": "-> ../base/ext.yaml",
			".git/config":   origin,
		}, ""},
		{"a link that no kustomization names", map[string]string{"lnk": "-> base"}, ""},
		{"a circle", map[string]string{"a": "-> b", "b": "-> a", "n/kustomization.yaml": "resources: [../a]\n"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{
				"base/ext.yaml": extensionWithAccount, "base/kustomization.yaml": "resources: [ext.yaml]\n", "o/kustomization.yaml": "resources: [../base]\n",
			}
			for name, text := range test.files {
				files[name] = text
			}
			out, err := Run(context.Background(), Options{
				PolicyCache: policies, Tree: checkOut(t, files), Config: settings.Default(), Target: "olm-1.11", Fixes: fixing.Fixes{Apply: true},
				Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
			})
			if err != nil {
				t.Fatal(err)
			}
			if (len(out.Writes) > 0) != (test.want == "") {
				t.Errorf("%d writes", len(out.Writes))
			}
			var messages []string
			for _, f := range out.Findings {
				messages = append(messages, f.Message)
			}
			if all := strings.Join(messages, "\n"); !strings.Contains(all, test.want) {
				t.Errorf("want %q in\n%s", test.want, all)
			}
		})
	}
}

// TestBaseBehindASymbolicLink checks that a kustomization to which a symbolic link leads lists what is beside itself, and not what is beside the link.
func TestBaseBehindASymbolicLink(t *testing.T) {
	t.Parallel()
	out, err := Run(context.Background(), Options{
		PolicyCache: policies, Tree: checkOut(t, map[string]string{
			"lnk": "-> deep/one", "n/kustomization.yaml": "resources: [../lnk]\nnamePrefix: a-\n", "deep/one/kustomization.yaml": "resources: [../base]\n",
			"deep/base/kustomization.yaml": "resources: [ext.yaml]\n", "deep/base/ext.yaml": extensionWithAccount,
			"base/kustomization.yaml": "resources: [other.yaml]\n", "base/other.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n",
		}),
		Config: settings.Default(), Target: "olm-1.11", Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Findings) != 1 || out.Findings[0].Resource.Name != "a-harbor" {
		t.Errorf("want a finding about the extension a-harbor, got %+v", out.Findings)
	}
}

// TestKustomizationBehindASymbolicLink checks that a kustomization that is a symbolic link belongs to the folder of the link.
func TestKustomizationBehindASymbolicLink(t *testing.T) {
	t.Parallel()
	out, err := Run(context.Background(), Options{
		PolicyCache: policies, Tree: checkOut(t, map[string]string{
			"base/ext.yaml": extensionWithAccount, "base/kustomization.yaml": "resources: [ext.yaml]\n",
			"o/k.yaml": "resources: [../base]\nnamePrefix: a-\n", "o/kustomization.yaml": "-> k.yaml",
		}),
		Config: settings.Default(), Target: "olm-1.11", Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Findings) == 0 || out.Findings[0].Origin.Kustomization != "o" {
		t.Errorf("the kustomization is not known: %+v", out.Findings)
	}
}

// TestLinksOfADirectory checks that what symbolic links in a directory lead to belongs to the Application of Argo CD that applies it, and
// that what is not read there is said.
func TestLinksOfADirectory(t *testing.T) {
	t.Parallel()
	const application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: harbor, namespace: argocd}\n" +
		"spec: {source: {repoURL: 'https://example.com/x', path: apps}, destination: {namespace: harbor}}\n"
	for name, test := range map[string]struct {
		link, to, want string
	}{
		"a manifest":    {"apps/ext.yaml", "-> ../base/ext.yaml", ""},
		"another file":  {"apps/ext.yaml", "-> ../base/ext.txt", "not read: the symlink points to base/ext.txt, which is not read as a manifest"},
		"another name":  {"apps/ext.txt", "-> ../base/ext.yaml", ""},
		"a folder":      {"apps/ext", "-> ../base", ""},
		"another place": {"m/ext.yaml", "-> ../base/ext.yaml", "the folder apps is not in the repository"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := Run(context.Background(), Options{
				PolicyCache: policies, Tree: checkOut(t, map[string]string{
					"app.yaml": application, ".git/config": origin, "base/ext.yaml": extensionWithAccount, "base/ext.txt": extensionWithAccount, test.link: test.to,
				}),
				Config: settings.Default(), Target: "olm-1.11", Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
			})
			if err != nil {
				t.Fatal(err)
			}
			var messages []string
			isApplied := false
			for _, f := range out.Findings {
				if f.Rule == "repo/not-checked" {
					messages = append(messages, f.Message)
				}
				isApplied = isApplied || f.Origin.Unit != ""
			}
			if all := strings.Join(messages, "\n"); all != test.want || isApplied != (name == "a manifest") {
				t.Errorf("applied %v, notes %q, want %q", isApplied, all, test.want)
			}
		})
	}
}
