package overlay

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/test/long"
)

// The file that the lists of a unit show for a built object is the one that kustomize records.
func TestListedFilesAreThoseOfKustomize(t *testing.T) {
	t.Parallel()
	workers := render.NewWorkers(render.Limits{})
	t.Cleanup(workers.Close)
	shown, all := 0, 0
	for seed := range long.Runs(150, 3000) {
		files := namedTree(rand.New(rand.NewPCG(uint64(seed), 11)))
		tree := render.FromFS(files.FS())
		units := objectstest.Units(t, files)
		s := newSnapshot(tree, units, nil)
		for _, u := range units {
			if u.Kind != objects.KustomizationUnit {
				continue
			}
			built, err := render.Kustomize(t.Context(), tree, u.Root, render.KustomizeOptions{Workers: workers, NoLines: true})
			if err != nil {
				continue
			}
			l := newListing(u, s)
			for _, o := range built {
				if objects.IsKustomizationFile(o.Origin.File) {
					continue // generated, and marked
				}
				all++
				switch listed := l.file(o.Kind(), o.Name()); listed {
				case "":
				case o.Origin.File:
					shown++
				default:
					t.Fatalf("seed %d: %s %s of %s is from %s, listed in %s\n%v", seed, o.Kind(), o.Name(), u.Root, o.Origin.File, listed, files)
				}
			}
		}
	}
	t.Logf("%d of %d files are shown by the lists", shown, all)
	if shown < all/5 || shown == all {
		t.Errorf("%d of %d files are shown by the lists", shown, all)
	}
}

// namedTree has overlays whose objects have names that are parts of one another, with prefixes, suffixes, and patches.
func namedTree(r *rand.Rand) filestest.Tree {
	files := filestest.Tree{}
	names := []string{"app", "x-app", "app-x", "x-app-x", "x"}
	list := ""
	for i := range 2 + r.IntN(4) {
		file, doc := fmt.Sprintf("base/f%d.yaml", i), ""
		for range 1 + r.IntN(2) {
			doc += fmt.Sprintf("---\napiVersion: v1\nkind: %s\nmetadata: {name: %s}\n", pick(r, "Service", "ConfigMap", "Widget"), pick(r, names...))
		}
		if r.IntN(12) == 0 {
			doc = fmt.Sprintf("apiVersion: v1\nkind: ServiceList\nitems:\n- {apiVersion: v1, kind: Service, metadata: {name: %s}}\n", pick(r, names...))
		}
		files[file] = doc
		list += fmt.Sprintf("- f%d.yaml\n", i)
	}
	changes := func() string {
		return maybe(r, "namePrefix: "+pick(r, "x-", "app-")+"\n") + maybe(r, "nameSuffix: -x\n") + maybe(r,
			"configMapGenerator:\n- name: app-x-settings\n  literals: [a=b]\n",
			"patches:\n- target: {kind: Service}\n  options: {allowKindChange: true}\n  patch: '{apiVersion: v1, kind: Widget, metadata: {name: y}}'\n")
	}
	files["base/kustomization.yaml"] = "resources:\n" + list + changes()
	files["over/kustomization.yaml"] = "resources:\n- ../base\n" + maybe(r, "- own.yaml\n") + changes()
	files["over/own.yaml"] = fmt.Sprintf("apiVersion: v1\nkind: Service\nmetadata: {name: %s}\n", pick(r, names...))
	return files
}

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }
