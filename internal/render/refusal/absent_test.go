package refusal_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/refusal"
)

// outcome is a build and what was left out of it.
type outcome struct {
	Objects, Left []string
	Error         string
	builds        int
}

// build builds a folder, without the entries that are known before.
func build(t *testing.T, workers *render.Workers, tree filestest.Tree, dir string, absent []render.Entry) outcome {
	t.Helper()
	var o outcome
	before := workers.Counters().Kustomizations
	objects, err := render.Kustomize(t.Context(), render.FromFS(tree.FS()), dir, render.KustomizeOptions{
		Workers: workers, NoLines: true, NoFiles: true, Absent: absent, Remote: func(render.RemoteError) {},
		LeftOut: func(l render.LeftOut) { o.Left = append(o.Left, fmt.Sprintf("%s %s %d", l.File, l.Field, l.Index)) },
	})
	if err != nil {
		o.Error = err.Error()
	}
	for _, object := range objects {
		o.Objects = append(o.Objects, fmt.Sprint(object.JSON))
	}
	slices.Sort(o.Left)
	o.builds = workers.Counters().Kustomizations - before
	return o
}

const remote = `"https://github.com/example/remote//config?ref=v1"`

func TestAbsent(t *testing.T) {
	account := func(name string) string {
		return "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: " + name + "}\n"
	}
	patch := "patches:\n- patch: |-\n    apiVersion: v1\n    kind: ServiceAccount\n    metadata: {name: a}\n    automountServiceAccountToken: false\n"
	tests := []struct {
		name string
		tree filestest.Tree
		// builds is the number of builds that salint needs.
		builds int
		left   []string
	}{
		{"an object of a remote entry", filestest.Tree{"o/kustomization.yaml": "resources: [" + remote + ", b.yaml]\n" + patch, "o/b.yaml": account("b")}, 1, []string{"o/kustomization.yaml patches 0"}},
		{"an object that is there", filestest.Tree{"o/kustomization.yaml": "resources: [" + remote + ", a.yaml]\n" + patch, "o/a.yaml": account("a")}, 1, nil},
		{"an object of a base that lists a remote one", filestest.Tree{
			"o/kustomization.yaml": "resources: [../base, b.yaml]\n" + patch, "o/b.yaml": account("b"), "base/kustomization.yaml": "resources: [" + remote + "]\n",
		}, 1, []string{"o/kustomization.yaml patches 0"}},
		{"patches of an overlay and its base", filestest.Tree{
			"o/kustomization.yaml": "resources: [../base, b.yaml]\n" + patch, "o/b.yaml": account("b"), "base/kustomization.yaml": "resources: [" + remote + "]\n" + patch,
		}, 1, []string{"base/kustomization.yaml patches 0", "o/kustomization.yaml patches 0"}},
		{"a name with a prefix that the file does not show", filestest.Tree{
			"o/kustomization.yaml": "resources: [../base, " + remote + "]\npatchesStrategicMerge: [p.yaml]\n", "o/p.yaml": account("x-a"),
			"base/kustomization.yaml": "namePrefix: x-\nresources: [a.yaml]\n", "base/a.yaml": account("a"),
		}, 1, nil},
		{"a name that no prefix makes", filestest.Tree{
			"o/kustomization.yaml": "resources: [../base, " + remote + "]\npatchesStrategicMerge: [p.yaml]\n", "o/p.yaml": account("x-b"),
			"base/kustomization.yaml": "namePrefix: x-\nresources: [a.yaml]\n", "base/a.yaml": account("a"),
		}, 1, []string{"o/kustomization.yaml patchesStrategicMerge 0"}},
		{"a name that a patch makes", filestest.Tree{
			"o/kustomization.yaml": "resources: [../base, " + remote + "]\npatchesStrategicMerge: [p.yaml]\n", "o/p.yaml": account("a"),
			"base/kustomization.yaml": "resources: [b.yaml]\npatches:\n- target: {kind: ServiceAccount}\n  options: {allowNameChange: true}\n  patch: '[{\"op\": \"replace\", \"path\": \"/metadata/name\", \"value\": \"a\"}]'\n",
			"base/b.yaml":             account("b"),
		}, 1, nil},
		{"a generator that adds to a remote object", filestest.Tree{
			"o/kustomization.yaml": "resources: [" + remote + ", b.yaml]\nconfigMapGenerator:\n- {name: c, behavior: merge, literals: [x=y]}\n", "o/b.yaml": account("b"),
		}, 1, []string{"o/kustomization.yaml configMapGenerator 0"}},
		{"a component whose object one kustomization has", filestest.Tree{
			"o/kustomization.yaml":         "resources: [b.yaml, " + remote + "]\ncomponents: [../component]\n",
			"o/b.yaml":                     account("b"),
			"component/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" + patch,
		}, 1, []string{"component/kustomization.yaml patches 0"}},
		{"a base of which nothing is left", filestest.Tree{
			"o/kustomization.yaml": "resources: [../base, b.yaml]\n", "o/b.yaml": account("b"), "base/kustomization.yaml": "resources: [" + remote + "]\n",
		}, 1, nil},
		{"a target that selects nothing", filestest.Tree{
			"o/kustomization.yaml": "resources: [" + remote + ", b.yaml]\npatches:\n- target: {kind: ServiceAccount, name: a}\n  patch: '[{\"op\": \"add\", \"path\": \"/secrets\", \"value\": []}]'\n",
			"o/b.yaml":             account("b"),
		}, 1, nil},
	}
	workers := render.NewWorkers(render.Limits{})
	defer workers.Close()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := build(t, workers, test.tree, "o", refusal.New(render.FromFS(test.tree.FS()), nil).Absent("o", refusal.Options{}))
			if diff := gocmp.Diff(test.left, got.Left); diff != "" {
				t.Errorf("what is left out (-want +got):\n%s", diff)
			}
			if got.Error != "" || got.builds != test.builds {
				t.Errorf("%d builds, want %d; error: %q", got.builds, test.builds, got.Error)
			}
		})
	}
}

// remoteTree writes a random repository whose kustomizations change objects that they have, or that a remote entry can have.
func remoteTree(r *rand.Rand) filestest.Tree {
	tree := filestest.Tree{}
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	object := func() string {
		return "apiVersion: v1\nkind: " + one("ServiceAccount", "ConfigMap") + "\nmetadata:\n  name: " + one("a", "b", "c", "x-a", "x-b") + "\n"
	}
	names := []string{"base", "component", "middle", "o"}
	for i, dir := range names {
		var k strings.Builder
		if dir == "component" {
			k.WriteString("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n")
		}
		k.WriteString("resources:\n")
		for f := range r.IntN(3) {
			name := fmt.Sprintf("%d-%d.yaml", i, f)
			tree[path.Join(dir, name)] = object()
			k.WriteString("- " + name + "\n")
		}
		if r.IntN(3) == 0 {
			k.WriteString("- " + remote + "\n")
		}
		for _, other := range names[:i] {
			if other != "component" && r.IntN(2) == 0 {
				k.WriteString("- ../" + other + "\n")
			}
		}
		if i > 1 && r.IntN(2) == 0 {
			k.WriteString("components: [../component]\n")
		}
		if r.IntN(4) == 0 {
			k.WriteString("namePrefix: x-\n")
		}
		if r.IntN(3) == 0 {
			fmt.Fprintf(&k, "configMapGenerator:\n- {name: %s, behavior: %s, literals: [x=y]}\n", one("a", "b", "x-a", "new"), one("create", "merge", "replace"))
		}
		if n := r.IntN(3); n > 0 {
			k.WriteString("patches:\n")
			for range n {
				k.WriteString("- patch: |-\n    " + strings.ReplaceAll(strings.TrimSpace(object()), "\n", "\n    ") + "\n")
			}
		}
		tree[path.Join(dir, "kustomization.yaml")] = k.String()
	}
	return tree
}

// TestAbsentIsWhatBuildsShow compares builds that leave out what is known before with builds that find it by failing.
func TestAbsentIsWhatBuildsShow(t *testing.T) {
	workers := render.NewWorkers(render.Limits{})
	defer workers.Close()
	less := 0
	for seed := range uint64(60) {
		tree := remoteTree(rand.New(rand.NewPCG(seed, 1)))
		walk := refusal.New(render.FromFS(tree.FS()), nil)
		if walk.Of("o", refusal.Options{}) != nil {
			continue
		}
		found, known := build(t, workers, tree, "o", nil), build(t, workers, tree, "o", walk.Absent("o", refusal.Options{}))
		if found.Error != "" {
			continue // what fails for other reasons is not compared: kustomize says the first of them
		}
		less += found.builds - known.builds
		if diff := gocmp.Diff(found, known, gocmp.FilterPath(func(p gocmp.Path) bool { return p.Last().String() == ".builds" }, gocmp.Ignore())); diff != "" {
			t.Fatalf("seed %d (-by failing +known before):\n%s\n%v", seed, diff, sorted(tree))
		}
	}
	if less <= 0 {
		t.Errorf("%d builds fewer: the trees have nothing that is known before", less)
	}
}

func sorted(tree filestest.Tree) string {
	var text strings.Builder
	names := make([]string, 0, len(tree))
	for name := range tree {
		names = append(names, name)
	}
	slices.SortFunc(names, cmp.Compare[string])
	for _, name := range names {
		fmt.Fprintf(&text, "-- %s --\n%s", name, tree[name])
	}
	return text.String()
}
