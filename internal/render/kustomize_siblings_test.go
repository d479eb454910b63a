package render_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/reuse"
)

// TestSiblings builds two overlays with a cache: both have the objects and origins of a build without one. The second result is that of
// the first if the overlays differ only in the name of their folder.
func TestSiblings(t *testing.T) {
	t.Parallel()
	own := "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: own}\n"
	for name, test := range map[string]struct {
		overlay, file string // NAME is the name of the folder
		reused        bool
	}{
		"files and a patch":  {"resources: [../base, own.yaml]\nnamePrefix: p-\npatches: [{path: patch.yaml}]\n", own, true},
		"a component":        {"resources: [../base]\ncomponents: [../component]\n", own, true},
		"a list of origins":  {"resources: [../base, own.yaml]\nbuildMetadata: [originAnnotations]\n", own, true},
		"a generator":        {"resources: [../base]\nconfigMapGenerator: [{name: a, files: [own.yaml]}]\n", own, false},
		"the name":           {"resources: [../base, ../NAME/own.yaml]\n", own, false},
		"the name in a file": {"resources: [../base, own.yaml]\n", strings.ReplaceAll(own, "own", "NAME"), false},
		"something missing":  {"resources: [../base, missing.yaml]\n", own, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{
				"o/base/kustomization.yaml": "resources: [account.yaml]\n", "o/base/account.yaml": account,
				"o/component/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -s\n",
			}
			dirs := []string{"amber", "violet"}
			for _, dir := range dirs {
				files["o/"+dir+"/kustomization.yaml"] = strings.ReplaceAll(test.overlay, "NAME", dir)
				files["o/"+dir+"/own.yaml"] = strings.ReplaceAll(test.file, "NAME", dir)
				files["o/"+dir+"/patch.yaml"] = strings.Replace(account, "metadata:", "automountServiceAccountToken: false\nmetadata:", 1)
			}
			plain, known := render.NewWorkers(render.Limits{}), render.NewWorkers(render.Limits{})
			defer plain.Close()
			defer known.Close()
			known.Reuse(reuse.New(reuse.DefaultMemory))
			for _, dir := range dirs {
				want, wantErr := buildLeaving(t, files, "o/"+dir, plain)
				got, err := buildLeaving(t, files, "o/"+dir, known)
				if diff := cmp.Diff(want, got); diff != "" || wantErr != err {
					t.Errorf("%s: -without a cache +with it:\n%s\n%s\n%s", dir, diff, wantErr, err)
				}
			}
			if reused := known.Counters().Reused > 0; reused != test.reused {
				t.Errorf("reused: %v, want %v", reused, test.reused)
			}
		})
	}
}

// buildLeaving builds a folder without the entries that are missing. The text has these, and the error.
func buildLeaving(t *testing.T, files map[string]string, dir string, workers *render.Workers) (built []rendered.Object, text string) {
	built, err := render.Kustomize(t.Context(), tree(files), dir, render.KustomizeOptions{
		Workers: workers, LeftOut: func(l render.LeftOut) { text += fmt.Sprintf("%s:%d: %s\n", l.File, l.Line, l.Reason) },
	})
	return built, fmt.Sprint(text, err)
}
