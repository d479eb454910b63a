package unread

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/ask/change/origin"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// folders knows which folders of a state have nothing that decides what is granted.
type folders struct {
	state State
	// all are the folders with files, and deciding are the files with something that decides, or that were not read.
	all, deciding []string
	quiet         map[string]bool
	// earlier are the folders of the earlier state, and stay its objects in files that are still there; nil without an earlier state.
	earlier []string
	stay    map[string]bool
}

func newFolders(s State) *folders {
	f := &folders{state: s, quiet: map[string]bool{}, all: s.folders()}
	if s.earlier != nil {
		f.earlier, f.stay = s.earlier.folders(), map[string]bool{}
		for _, o := range s.earlier.Repository.Objects {
			if _, stays := slices.BinarySearch(s.Repository.Collection.Names, o.File); stays && canGrant(o) {
				f.stay[identity(o)] = true
			}
		}
	}
	for _, name := range s.Repository.Collection.Names {
		if path.Base(name) == "Chart.yaml" {
			f.deciding = append(f.deciding, name)
		}
	}
	for _, o := range s.Repository.Objects {
		if canGrant(o) {
			f.deciding = append(f.deciding, o.File)
		}
	}
	for _, problem := range s.Repository.NotRead {
		f.deciding = append(f.deciding, problem.Position.File)
	}
	return f
}

// withoutPower are the kinds that grant nothing by themselves. Of the others among the workloads, the account decides.
var withoutPower = map[string]bool{"ServiceAccount": true, "Namespace": true}

// ofTexts are further kinds that are no objects in question, unless they decide.
var ofTexts = map[string]bool{"ConfigMap": true, "Secret": true, "LimitRange": true, "ResourceQuota": true, "": true}

// hasOnlyKnown reports whether a file has only objects of kinds that grant nothing, and for which no controller applies something.
func (f *folders) hasOnlyKnown(file string) bool {
	if !repo.IsManifest(file) || objects.IsKustomizationFile(file) {
		return true
	}
	text := f.state.textOf(file)
	return text != nil && !slices.ContainsFunc(manifest.Scan(file, text).Docs, func(doc *manifest.Document) bool {
		kind := doc.Kind()
		return !withoutPower[kind] && !ofTexts[kind] && !origin.GrantsNothing(kind)
	})
}

var workloads = sync.OnceValue(func() map[string]bool {
	kinds := map[string]bool{}
	for _, k := range objects.Workloads() {
		kinds[k.Group+"/"+k.Kind] = true
	}
	return kinds
})

// canGrant reports whether an object can decide what is granted.
func canGrant(o *objects.Object) bool {
	labels, _ := jsonfield.At(o, "metadata", "labels").(map[string]any)
	switch {
	case withoutPower[o.Kind]:
		return o.Kind == "Namespace" && len(labels) > 0
	case !workloads()[o.Group+"/"+o.Kind]:
		return true
	}
	has := false
	origin.Leaves(jsonfield.At(o, "spec"), func(name string, _ any) { has = has || strings.Contains(name, "erviceAccount") })
	return has
}

// isQuiet reports whether nothing of a source decides what is granted, as far as its files are those that were read.
func (f *folders) isQuiet(u gitops.UnresolvedSource) bool {
	if u.Plugin || u.Changes || !u.AsRead || strings.Trim(u.Path, "*./") == "" {
		return false
	}
	if known, is := f.quiet[u.Path]; is {
		return known
	}
	f.quiet[u.Path] = !slices.ContainsFunc(f.deciding, func(file string) bool { return isBelow(u, file) }) &&
		!slices.ContainsFunc(f.state.Repository.Collection.Names, func(file string) bool { return isBelow(u, file) && !f.hasOnlyKnown(file) }) &&
		!slices.ContainsFunc(f.all, func(dir string) bool { return u.Covers(dir) && !f.hasOnlyFiles(dir) }) &&
		!slices.ContainsFunc(f.state.Repository.Parsed.Kustomizations, func(k *objects.Kustomization) bool { return u.Covers(k.Dir) && !f.isBuiltQuiet(k) })
	return f.quiet[u.Path]
}

// isBelow reports whether a file is in a folder that a source may be, or below it.
func isBelow(u gitops.UnresolvedSource, file string) bool {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if u.Covers(dir) {
			return true
		}
		if dir == "." {
			return false
		}
	}
}

// maxDepth limits how deep a folder is searched for what is no file.
const maxDepth = 20

// hasOnlyFiles reports whether a folder has no symbolic links and programs, which are not among the names of a state.
func (f *folders) hasOnlyFiles(dir string) bool {
	if f.state.Files == nil || strings.Count(dir, "/") > maxDepth {
		return false
	}
	entries, err := f.state.Files.ReadDir(dir)
	return err == nil && !slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		switch {
		case entry.IsDir():
			return !f.hasOnlyFiles(path.Join(dir, entry.Name()))
		case entry.Type()&fs.ModeSymlink != 0:
			return true
		}
		return path.Ext(entry.Name()) == ".jsonnet"
	})
}

// isBuiltQuiet reports whether the objects of a kustomization are known, and none of them decides what is granted.
func (f *folders) isBuiltQuiet(k *objects.Kustomization) bool {
	return slices.ContainsFunc(f.state.Repository.Units, func(u *objects.Unit) bool {
		if len(u.Kustomizations) == 0 || u.Kustomizations[0] != k || u.NotBuilt || len(u.Problems)+len(u.Remotes)+len(u.LeftOut) > 0 {
			return false
		}
		unknown := slices.ContainsFunc(u.Kustomizations, func(part *objects.Kustomization) bool {
			return slices.ContainsFunc(part.Resources, func(e objects.Entry) bool { return !f.isFolder(e.Target) && !f.hasOnlyKnown(e.Target) })
		})
		return (u.Built || len(u.Transforms) == 0) && !unknown && !slices.ContainsFunc(u.Objects, canGrant)
	})
}

func (f *folders) isFolder(name string) bool {
	_, is := slices.BinarySearch(f.all, name)
	return is
}

// pathOf returns the setting of the folder of a source.
func (f *folders) pathOf(u gitops.UnresolvedSource) origin.Setting {
	return origin.Setting{Name: "path", Text: u.Path, Decides: !f.isQuiet(u) && !f.isCompared(u), Adds: true}
}

// isCompared reports whether all of a source is in a new folder, and so compared as something new: a copy of what is elsewhere is not.
func (f *folders) isCompared(u gitops.UnresolvedSource) bool {
	if _, was := slices.BinarySearch(f.earlier, u.Path); f.stay == nil || was || u.Plugin || u.Changes || !u.AsRead || !u.Literal() || !f.hasOnlyFiles(u.Path) {
		return false
	}
	return !slices.ContainsFunc(f.state.Repository.Objects, func(o *objects.Object) bool { return isBelow(u, o.File) && f.stay[identity(o)] })
}

func identity(o *objects.Object) string {
	return strings.Join([]string{o.Group, o.Kind, o.Namespace, o.Name}, "/")
}

// folders returns the folders of a state, sorted.
func (s State) folders() (all []string) {
	for _, name := range s.Repository.Collection.Names {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			all = append(all, dir)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
