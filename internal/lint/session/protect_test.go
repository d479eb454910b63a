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

// TestSymbolicLinks checks that a file that is used through a symbolic link is not edited.
func TestSymbolicLinks(t *testing.T) {
	t.Parallel()
	const patch = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: harbor}\n" +
		"spec: {serviceAccount: {name: other}}\n"
	tests := []struct {
		name  string
		files map[string]string
		want  string // of the reason; "" where it is fixed
	}{
		{"a folder", map[string]string{"lnk": "-> base", "n/kustomization.yaml": "resources: [../lnk]\n"}, "through the symbolic link lnk"},
		{"a folder around it", map[string]string{"top": "-> .", "n/kustomization.yaml": "resources: [../top/base]\n"}, "through the symbolic link top/base"},
		{"a file", map[string]string{"n/ext.yaml": "-> ../base/ext.yaml", "n/kustomization.yaml": "resources: [ext.yaml]\n"}, "through the symbolic link n/ext.yaml"},
		{"a patch", map[string]string{
			"o/kustomization.yaml": "resources: [../base]\npatches: [{path: p.yaml}]\n", "o/p.yaml": "-> real/p.yaml", "o/real/p.yaml": patch,
		}, "uses it through the symbolic link o/p.yaml"},
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
