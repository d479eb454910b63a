package session

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/lint/fixing"
	"github.com/salint/salint/internal/render/reuse"
)

// TestFixesBuildEachContentOnce checks that the rounds of a fix, with their verification, build an overlay once for each content of its
// files: before the fix, and after it.
func TestFixesBuildEachContentOnce(t *testing.T) {
	t.Parallel()
	files := tree{
		"base/extension.yaml":     extensionWithAccount + "  source: {sourceType: Catalog, catalog: {packageName: harbor}}\n",
		"base/account.yaml":       "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: harbor-installer, namespace: harbor}\n",
		"base/kustomization.yaml": "resources: [extension.yaml, account.yaml]\n",
	}
	const overlays = 3
	for i := range overlays {
		files[fmt.Sprintf("o%d/kustomization.yaml", i)] = fmt.Sprintf("resources: [../base]\nnameSuffix: -o%d\n", i)
	}
	for name, test := range map[string]struct {
		fixes  fixing.Fixes
		builds int
	}{
		"lint": {fixing.Fixes{}, overlays},
		"diff": {fixing.Fixes{Apply: true, Prove: true, Preview: true}, 2 * overlays},
		"fix":  {fixing.Fixes{Apply: true, Prove: true}, 2 * overlays},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := lintReusing(t, files, test.fixes, nil)
			if test.fixes.Apply && len(out.Writes) != 1 {
				t.Fatalf("%d changes, want 1: %v", len(out.Writes), textOfOutcome(t, out))
			}
			if out.Stats.Rendered.Kustomizations != test.builds {
				t.Errorf("%+v, want %d builds", out.Stats.Rendered, test.builds)
			}
		})
	}
}

// TestSessionsShareBuilds checks that a second session builds nothing, and that one builds only what changed.
func TestSessionsShareBuilds(t *testing.T) {
	t.Parallel()
	files := tree{
		"base/extension.yaml":     extensionWithAccount,
		"base/kustomization.yaml": "resources: [extension.yaml]\n",
		"a/kustomization.yaml":    "resources: [../base]\nnameSuffix: -a\n",
		"b/kustomization.yaml":    "resources: [../base]\nnameSuffix: -b\n",
	}
	builds := reuse.New(reuse.DefaultMemory)
	changed := maps.Clone(files)
	changed["b/kustomization.yaml"] += "namespace: other\n"
	for i, step := range []struct {
		files          tree
		builds, reused int
	}{{files, 2, 0}, {files, 0, 2}, {changed, 1, 1}, {files, 0, 2}} {
		got := lintReusing(t, step.files, fixing.Fixes{}, builds).Stats.Rendered
		if got.Kustomizations != step.builds || got.Reused != step.reused {
			t.Errorf("run %d: %+v, want %d builds, %d reused", i, got, step.builds, step.reused)
		}
	}
}

// TestReusedBuildsChangeNothing lints random repositories that change from run to run, with results of earlier runs and without: the
// findings, the notes, and the fixes are the same.
func TestReusedBuildsChangeNothing(t *testing.T) {
	t.Parallel()
	reused := 0
	for seed := range int64(8) {
		r := rand.New(rand.NewSource(seed))
		files, builds := tree(newDeferRepo(r)), reuse.New(reuse.DefaultMemory)
		earlier := []tree{maps.Clone(files)}
		for step := range 6 {
			fixes := fixing.Fixes{Apply: step%2 == 1, Prove: step%2 == 1, Preview: true}
			warm := lintReusing(t, files, fixes, builds)
			reused += warm.Stats.Rendered.Reused
			cold := lintReusing(t, files, fixes, nil)
			if diff := cmp.Diff(textOfOutcome(t, cold), textOfOutcome(t, warm)); diff != "" {
				t.Fatalf("seed %d, step %d: reusing builds changes the outcome (-built +reused):\n%s", seed, step, diff)
			}
			if diff := cmp.Diff(cold.Writes, warm.Writes); diff != "" {
				t.Fatalf("seed %d, step %d: reusing builds changes the fixes (-built +reused):\n%s", seed, step, diff)
			}
			files = mutated(r, files, earlier)
			earlier = append(earlier, files)
		}
	}
	if reused == 0 {
		t.Error("nothing was reused")
	}
}

// mutated returns a repository with a file changed, added, removed, or renamed, or an earlier one.
func mutated(r *rand.Rand, files tree, earlier []tree) tree {
	changed, g := maps.Clone(files), deferRepo{r, nil}
	names := slices.Sorted(maps.Keys(files))
	name, other := names[r.Intn(len(names))], names[r.Intn(len(names))]
	switch r.Intn(7) {
	case 0:
		changed[name] += "---\n" + g.document()
	case 1:
		delete(changed, name)
	case 2:
		changed[name], changed[other] = changed[other], changed[name]
	case 3:
		changed["overlays/o0/own.yaml"] = g.document() // which may be listed already, and missing
	case 4:
		changed["overlays/o0/kustomization.yml"] = "resources: [own.yaml]\n" + g.patch() // kustomize refuses two
	case 5:
		changed["bases/b0/objects.yaml"] = g.document()
	case 6:
		return earlier[r.Intn(len(earlier))]
	}
	return changed
}

func lintReusing(t *testing.T, files tree, fixes fixing.Fixes, builds *reuse.Cache) *Outcome {
	t.Helper()
	out, err := Run(t.Context(), Options{
		PolicyCache: policies, Tree: pathTree{loadertest.Repository{Tree: files}, files, ""}, Config: settings.Default(), Target: "olm-1.11",
		Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC), Fixes: fixes, Builds: builds,
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, files.Dump())
	}
	return out
}
