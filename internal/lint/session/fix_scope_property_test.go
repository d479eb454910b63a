package session

import (
	"context"
	"encoding/json"
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/lint/fixing"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/test/long"
)

// A longer run: go test ./internal/lint/session -run TestUnitsOutsideThePathsStay -scope.runs 5000 -scope.seed 1000
var (
	scopeRuns = flag.Int64("scope.runs", 20, "how many random repositories are fixed")
	scopeSeed = flag.Int64("scope.seed", 0, "the first seed")
)

// TestUnitsOutsideThePathsStay fixes a random part of random repositories. What every deployment unit outside of the paths applies is
// the same before and after. The test decides by itself what is outside, and builds overlays with kustomize alone.
func TestUnitsOutsideThePathsStay(t *testing.T) {
	t.Parallel()
	workers := render.NewWorkers(render.Limits{})
	t.Cleanup(workers.Close)
	changed, outside, runs := 0, 0, *scopeRuns*int64(long.Runs(1, 5))
	if testing.Short() {
		runs = min(runs, 4)
	}
	for seed := *scopeSeed; seed < *scopeSeed+runs; seed++ {
		g := newScopeRepo(seed)
		before := g.outside(t, workers, g.files)
		target := g.one("olm-1.11", "olm-1.11", "synthetic", "required")
		fixes := []fixing.Fixes{{}, {Prune: true}, {Prune: true, Unsafe: true}}[g.Intn(3)]
		fixes.Apply = true
		out := g.lint(t, fixes, target)
		after := maps.Clone(g.files)
		for _, w := range out.Writes {
			after[w.Path] = string(w.After)
			if w.After == nil {
				delete(after, w.Path)
			}
		}
		if diff := cmp.Diff(before, g.outside(t, workers, after)); diff != "" {
			t.Fatalf("seed %d, %s, %+v: a fix of %v changes what is outside:\n%s\n%s\nafterwards\n%s",
				seed, target, fixes, g.paths, diff, tree(g.files).Dump(), tree(after).Dump())
		}
		if !fixes.Unsafe {
			g.checkUsedStay(t, workers, seed, after)
		}
		if len(out.Writes) > 0 {
			g.checkNamed(t, workers, out, after)
			changed++
		}
		outside += len(before)
	}
	t.Logf("%d of %d repositories changed, %d units outside", changed, runs, outside)
	if runs >= 20 && (changed < int(runs)/4 || outside < int(runs)) {
		t.Errorf("%d changed, %d units outside: the repositories are not worth much", changed, outside)
	}
}

// isSelected reports whether the paths contain a file or folder.
func (g *scopeRepo) isSelected(name string) bool {
	return slices.ContainsFunc(g.paths, func(path string) bool { return name == path || strings.HasPrefix(name, path+"/") })
}

// selects reports whether the paths contain a folder, or anything in it.
func (g *scopeRepo) selects(folder string) bool {
	return g.isSelected(folder) || slices.ContainsFunc(g.paths, func(path string) bool { return strings.HasPrefix(path, folder+"/") })
}

// outside returns what units outside of the paths apply: overlays, applications, and plain files.
func (g *scopeRepo) outside(t *testing.T, workers *render.Workers, files map[string]string) map[string][]string {
	t.Helper()
	built := map[string][]string{}
	for _, dir := range g.overlays {
		if !g.listed[dir] && !g.selects(dir) && !g.isDeployed(dir) {
			built[dir] = buildOverlay(t, workers, files, dir)
		}
	}
	for _, u := range unitsOf(t, workers, files) {
		for name, r := range g.releases {
			if !strings.HasSuffix(u.Name, "/"+name) {
				continue
			}
			if !g.isSelected(r.manifest) && !g.selects(r.folder) && (r.values == "" || !g.isSelected(r.values)) {
				built[u.Name] = textsOf(u)
			}
		}
		if u.Kind == objects.PlainUnit {
			for _, o := range u.Objects {
				if _, there := g.files[o.File]; there && !g.isSelected(o.File) {
					built[o.File] = append(built[o.File], textOf(o))
				}
			}
		}
	}
	return built
}

// appliedObject is an object that kustomize builds, with the fields that the checks read.
type appliedObject struct {
	Kind     string
	Metadata struct{ Name, Namespace string }
	Spec     struct {
		Namespace      string
		ServiceAccount struct{ Name string }
		Template       struct {
			Spec struct{ ServiceAccount string }
		}
	}
	Subjects []struct{ Kind, Name, Namespace string }
}

// account returns the account as which the object acts, as namespace/name; "" if it does not.
func (a appliedObject) account() string {
	switch {
	case a.Kind == "ClusterExtension" && a.Spec.ServiceAccount.Name != "":
		return a.Spec.Namespace + "/" + a.Spec.ServiceAccount.Name
	case a.Kind == "Deployment":
		return a.Metadata.Namespace + "/" + a.Spec.Template.Spec.ServiceAccount
	}
	return ""
}

// checkUsedStay checks that every overlay, also those of the paths, keeps the accounts as which its objects act afterwards, with all
// their bindings.
func (g *scopeRepo) checkUsedStay(t *testing.T, workers *render.Workers, seed int64, after map[string]string) {
	t.Helper()
	for _, dir := range g.overlays {
		texts := buildOverlay(t, workers, after, dir)
		used := map[string]bool{}
		for _, text := range texts {
			var o appliedObject
			if json.Unmarshal([]byte(text), &o) == nil {
				used[o.account()] = true
			}
		}
		for _, text := range buildOverlay(t, workers, g.files, dir) {
			var o appliedObject
			if json.Unmarshal([]byte(text), &o) != nil {
				continue
			}
			needed := o.Kind == "ServiceAccount" && used[o.Metadata.Namespace+"/"+o.Metadata.Name]
			for _, s := range o.Subjects {
				needed = needed || s.Kind == "ServiceAccount" && used[s.Namespace+"/"+s.Name]
			}
			if needed && !slices.Contains(texts, text) {
				t.Fatalf("seed %d: %s still uses an account and loses %s\n%s\nafterwards\n%s", seed, dir, text, tree(g.files).Dump(), tree(after).Dump())
			}
		}
	}
}

// isDeployed reports whether a selected Application applies an overlay.
func (g *scopeRepo) isDeployed(dir string) bool {
	for _, r := range g.releases {
		if r.folder == dir && g.isSelected(r.manifest) {
			return true
		}
	}
	return false
}

// checkNamed checks that the run names exactly the overlays that change.
func (g *scopeRepo) checkNamed(t *testing.T, workers *render.Workers, out *Outcome, after map[string]string) {
	t.Helper()
	named := map[string]bool{}
	for _, u := range out.ChangedUnits {
		named[u.Name] = true
	}
	for _, dir := range g.overlays {
		deployed := slices.ContainsFunc(slices.Collect(maps.Values(g.releases)), func(r release) bool { return r.folder == dir })
		if g.listed[dir] || deployed {
			continue
		}
		differs := !cmp.Equal(buildOverlay(t, workers, g.files, dir), buildOverlay(t, workers, after, dir))
		if differs != named[dir] {
			t.Fatalf("%s differs: %t, named: %v", dir, differs, out.ChangedUnits)
		}
	}
}

func (g *scopeRepo) lint(t *testing.T, fixes fixing.Fixes, target string) *Outcome {
	t.Helper()
	out, err := Run(context.Background(), Options{
		PolicyCache: policies, Tree: scopedTree{loadertest.Repository{Tree: tree(g.files)}, g}, Config: settings.Default(), Target: target,
		Fixes: fixes, Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, tree(g.files).Dump())
	}
	return out
}

// scopedTree is a repository in memory with selected files.
type scopedTree struct {
	loadertest.Repository
	g *scopeRepo
}

func (t scopedTree) Selected(name string) bool { return t.g.isSelected(name) }
func (t scopedTree) Files() render.Files       { return filesOf(t.g.files) }
func (t scopedTree) Remotes() []string         { return []string{"https://git.example.com/fleet"} }
func (t scopedTree) Branches() []string        { return nil }

func filesOf(files map[string]string) render.Files { return render.FromFS(tree(files).FS()) }

// buildOverlay builds a folder with kustomize alone.
func buildOverlay(t *testing.T, workers *render.Workers, files map[string]string, dir string) []string {
	t.Helper()
	built, err := render.Kustomize(t.Context(), filesOf(files), dir, render.KustomizeOptions{NoLines: true, Workers: workers})
	if err != nil {
		return []string{"cannot be built: " + err.Error()}
	}
	var texts []string
	for _, o := range built {
		text, _ := json.Marshal(o.JSON)
		texts = append(texts, string(text))
	}
	slices.Sort(texts)
	return texts
}

// unitsOf assembles the units of files.
func unitsOf(t *testing.T, workers *render.Workers, files map[string]string) []*objects.Unit {
	t.Helper()
	scanned := map[string]*manifest.File{}
	for name, text := range files {
		scanned[name] = manifest.Scan(name, []byte(text))
	}
	all := func(*manifest.Document) bool { return true }
	names := slices.Sorted(maps.Keys(files))
	parsed, err := loader.Selection{Names: names, Files: scanned, Matters: all, Missed: func(*manifest.Document) bool { return false }}.Parse(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	units, err := loader.Assemble(t.Context(), loader.Assembly{
		Objects: parsed.Objects, Kustomizations: parsed.Kustomizations, Names: names, Files: filesOf(files), Workers: workers,
		Remotes: []string{"https://git.example.com/fleet"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return units
}

func textsOf(u *objects.Unit) []string {
	var texts []string
	for _, o := range u.Objects {
		texts = append(texts, textOf(o))
	}
	slices.Sort(texts)
	return texts
}

func textOf(o *objects.Object) string {
	text, _ := json.Marshal(o.JSON())
	return string(text)
}
