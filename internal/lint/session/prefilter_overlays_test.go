package session

import (
	"context"
	"flag"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/test/long"
)

// A longer run: go test ./internal/lint/session -run TestPrefilterOfOverlays -prefilter.runs 2000 -prefilter.seed 1000
var (
	prefilterRuns = flag.Int64("prefilter.runs", 15, "how many random repositories are linted")
	prefilterSeed = flag.Int64("prefilter.seed", 0, "the first seed")
)

// TestPrefilterOfOverlays lints random repositories of bases and overlays, whose objects are skipped if their bytes show that rules find
// nothing in them and no kustomization changes them, and the same repositories with all objects parsed and built. The findings are the
// same, but for the notes on kustomizations that cannot be built and on their files, because a unit without an object that rules judge is not built.
func TestPrefilterOfOverlays(t *testing.T) {
	t.Parallel()
	skipped, all, findings := 0, 0, 0
	for seed := *prefilterSeed; seed < *prefilterSeed+*prefilterRuns*int64(long.Runs(1, 5)); seed++ {
		files := newOverlaysOfApplications(rand.New(rand.NewSource(seed)))
		every, want := foundInOverlays(t, files, true)
		some, got := foundInOverlays(t, files, false)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d (-everything +skipped):\n%s\n%s", seed, diff, tree(files).Dump())
		}
		skipped, all, findings = skipped+every-some, all+every, findings+len(got)
	}
	t.Logf("%d of %d documents were skipped; %d findings", skipped, all, findings)
	if skipped*100 < all || findings < int(*prefilterRuns) {
		t.Error("the repositories are not worth much")
	}
}

// foundInOverlays lints a repository whose overlays are built. With everything, all documents are parsed.
func foundInOverlays(t *testing.T, files map[string]string, everything bool) (parsed int, found []string) {
	t.Helper()
	out, err := Run(context.Background(), Options{
		PolicyCache: policies, Tree: pathTree{loadertest.Repository{Tree: tree(files)}, files, ""}, Config: settings.Default(), Target: "olm-1.11",
		Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC), everything: everything,
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, tree(files).Dump())
	}
	for _, f := range out.Findings {
		if !objects.IsKustomizationFile(f.File) || !strings.Contains(f.Message, "cannot be built") && !strings.Contains(f.Message, "was not built") {
			found = append(found, toldOf(f))
		}
	}
	return out.Parsed, found
}

// newOverlaysOfApplications returns bases of applications, to whose accounts and roles most bindings refer, with overlays of which some
// only change objects of other kinds. Half of them are in a repository of deferRepo.
func newOverlaysOfApplications(r *rand.Rand) map[string]string {
	files := map[string]string{}
	if r.Intn(2) == 0 {
		files = newDeferRepo(r)
	}
	g := deferRepo{r, files}
	for i := range 2 + g.Intn(4) {
		dir := fmt.Sprintf("apps/a%d", i)
		files[dir+"/base/objects.yaml"] = strings.ReplaceAll(application(i), "namespace: apps", g.one("namespace: apps", "namespace: apps", "namespace: apps", "namespace: shop"))
		if g.Intn(6) == 0 {
			files[dir+"/base/objects.yaml"] += "---\n" + g.document()
		}
		files[dir+"/base/kustomization.yaml"] = "resources: [objects.yaml]\n" + g.one("", "", "", "commonLabels: {a: b}\n", g.harmless(), g.patch())
		for j := range 1 + g.Intn(2) {
			text := "resources: [../base]\n" + g.one("", "namespace: shop\n", "namePrefix: x-\n", g.harmless(), g.harmless(), g.harmless(), g.patch())
			if files["components/c/kustomization.yaml"] != "" && g.Intn(4) == 0 {
				text += "components: [../../../components/c]\n"
			}
			files[fmt.Sprintf("%s/o%d/kustomization.yaml", dir, j)] = text
		}
	}
	if g.Intn(2) == 0 {
		files["plain/application.yaml"] = application(g.Intn(6))
	}
	return files
}

// harmless returns patches of kinds that bindings and pods do not depend on, or of a pod.
func (g deferRepo) harmless() string {
	kind := g.one("Subscription", "Service", "Deployment")
	return g.one(
		"patches:\n- target: {kind: "+kind+"}\n  patch: |-\n    - {op: add, path: /metadata/labels, value: {a: b}}\n",
		"patches:\n- target: {kind: Deployment}\n  patch: |-\n    - {op: replace, path: /spec/template/spec/serviceAccountName, value: "+g.name()+"}\n",
		"patches:\n- target: {kind: Subscription}\n  options: {allowNameChange: true}\n  patch: |-\n    - {op: replace, path: /metadata/name, value: app-1}\n",
		"patches:\n- target: {kind: 'Role.*'}\n  patch: |-\n    - {op: add, path: /metadata/labels, value: {a: b}}\n",
		"patches:\n- target: {kind: RoleBinding}\n  patch: |-\n    - {op: replace, path: /subjects/0/name, value: "+g.name()+"}\n",
		"patchesJson6902:\n- target: {version: v1, kind: Role, name: app-1}\n  patch: |-\n    - {op: replace, path: /metadata/name, value: "+g.name()+"}\n",
		"commonAnnotations: {a: b}\n",
	)
}
