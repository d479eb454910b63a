package loader

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/files/testfiles"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
)

// unapplied decides which files no deployment applies, because they are data of tests. Files that an application, or a kustomization
// elsewhere, applies are in its unit anyway.
type unapplied struct {
	tests *testfiles.Table
	// named reports whether the paths of a question name data of tests, and nothing around it.
	named func(folder, file string) bool
	known map[string]*objects.Unapplied
	// included are files that templates of charts read.
	included *included
}

func (a Assembly) unapplied() *unapplied {
	return &unapplied{tests: testfiles.New(a.Tests, a.Names), named: a.Named, known: map[string]*objects.Unapplied{}, included: newIncluded(a.Files, a.Names)}
}

// is reports whether no deployment applies a file that is only there. What a template reads is applied as the chart renders it.
func (u *unapplied) is(file string) bool { return u.why(file) != nil || u.included.has(file) }

// why is is with the reason; nil if the file belongs to a deployment.
func (u *unapplied) why(file string) *objects.Unapplied {
	found, known := u.known[file]
	if known {
		return found
	}
	if folder, is := u.tests.Folder(file); is && (u.named == nil || !u.named(folder, file)) {
		found = &objects.Unapplied{Folder: folder}
	}
	u.known[file] = found
	return found
}

// splitCharts divides the units of charts into those of deployments, and those of data of tests.
func (u *unapplied) splitCharts(rendered []*objects.Unit) (deployed, tests []*objects.Unit) {
	for _, unit := range rendered {
		if why := u.why(path.Join(unit.Root, "Chart.yaml")); why != nil {
			unit = unit.For(unit.Appliers)
			unit.Unapplied = why
			tests = append(tests, unit)
			continue
		}
		deployed = append(deployed, unit)
	}
	return deployed, tests
}

// unappliedUnits returns the units of data of tests that no deployment applies: the kustomizations among them, and one unit for each other
// file, because such files are alternatives. Units are those of the deployments.
func (a Assembly) unappliedUnits(ctx context.Context, why *unapplied, units []*objects.Unit, o overlay.Options) ([]*objects.Unit, error) {
	all := assembly.NewBuilder(a.Objects, a.Kustomizations, a.Names...)
	all.SetAbsent(a.Absent)
	found := a.unappliedFiles(all, why, units)
	if len(found) == 0 {
		return nil, nil
	}
	var roots []*objects.Unit
	for _, k := range unlistedBy(all, found) {
		roots = append(roots, all.Unit(k))
	}
	o.Defer, o.Reports = nil, nil
	built, err := overlay.Build(ctx, roots, o)
	if err != nil {
		return nil, err
	}
	for i, u := range built {
		built[i] = u.For(nil)
		built[i].Unapplied = found[u.Kustomizations[0].Path]
	}
	files := all.Alone(func(file string) bool { return found[file] != nil && !objects.IsKustomizationFile(file) })
	for _, u := range files {
		u.Unapplied = found[u.Name]
	}
	return append(built, files...), nil
}

// unappliedFiles returns the kustomizations and manifests that no deployment applies and none of the units reads, by file.
func (a Assembly) unappliedFiles(all *assembly.Builder, why *unapplied, units []*objects.Unit) map[string]*objects.Unapplied {
	found, names := map[string]*objects.Unapplied{}, map[string]bool{}
	add := func(file string) {
		if reason := why.why(file); reason != nil {
			found[file], names[file] = reason, true
		}
	}
	for _, k := range a.Kustomizations {
		if all.Kustomization(k.Dir) == k {
			add(k.Path)
		}
	}
	for _, object := range a.Objects {
		if !objects.IsKustomizationFile(object.File) {
			add(object.File)
		}
	}
	deleteRead(found, names, units)
	return found
}

// deleteRead deletes the files that a unit reads.
func deleteRead(found map[string]*objects.Unapplied, names map[string]bool, units []*objects.Unit) {
	if len(found) == 0 {
		return
	}
	for _, u := range units {
		if u.Kind == objects.PlainUnit {
			continue
		}
		for _, file := range u.ReadOf(names) {
			delete(found, file)
		}
	}
}

// among returns those of some files that are data of tests and that none of the units reads, sorted. A chart has all files in its folder, and
// reads of these only what its templates name.
func (u *unapplied) among(files map[string]bool, units []*objects.Unit) []string {
	found, names := map[string]*objects.Unapplied{}, map[string]bool{}
	for file := range files {
		if reason := u.why(file); reason != nil && !u.included.has(file) {
			found[file], names[file] = reason, true
		}
	}
	isChart := func(unit *objects.Unit) bool { return unit.Kind == objects.ChartUnit }
	deleteRead(found, names, slices.DeleteFunc(slices.Clone(units), isChart))
	return slices.Sorted(maps.Keys(found))
}

// unlistedBy returns the kustomizations among some files that no other of them lists, in the order of their folders.
func unlistedBy(all *assembly.Builder, files map[string]*objects.Unapplied) []*objects.Kustomization {
	listed := map[*objects.Kustomization]bool{}
	var among []*objects.Kustomization
	for file := range files {
		k := all.Kustomization(path.Dir(file))
		if k == nil || k.Path != file {
			continue
		}
		among = append(among, k)
		for _, entry := range k.Resources {
			if child := all.Kustomization(entry.Target); child != nil && child != k {
				listed[child] = true
			}
		}
	}
	among = slices.DeleteFunc(among, func(k *objects.Kustomization) bool { return listed[k] || k.IsComponent() })
	slices.SortFunc(among, func(a, b *objects.Kustomization) int { return cmp.Compare(a.Dir, b.Dir) })
	return among
}

// Unlisted returns the files among plain ones that the kustomization in their folder does not list, and that no command applies. Users may
// apply them by hand, so they are context of the others. A file with an object of Argo CD or Flux is none: a user applies it, and it applies
// the rest. So is one that the settings take out of the data of tests.
func (a Assembly) Unlisted(ctx context.Context, plain *objects.Unit) map[string]*objects.Unapplied {
	found := map[string]*objects.Unapplied{}
	if a.alone == nil {
		return found
	}
	tests := testfiles.New(a.Tests, a.Names)
	beside := map[string]*objects.Kustomization{}
	for _, k := range a.Kustomizations {
		beside[k.Dir] = k
	}
	starts := map[string]bool{}
	for _, o := range plain.Objects {
		words, ok := gitops.Kinds()[o.Kind]
		starts[o.File] = starts[o.File] || ok && slices.Contains(words, o.Group)
	}
	for file, isStart := range starts {
		if k := beside[path.Dir(file)]; k != nil && !isStart && !tests.TakesOut(file) && !a.alone.appliesFile(ctx, file) {
			found[file] = &objects.Unapplied{Folder: k.Dir, Beside: k.Path}
		}
	}
	return found
}
