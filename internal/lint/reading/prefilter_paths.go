package reading

import (
	"bytes"
	"path"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/kube/objects"
)

// transformedPaths are the files and folders that may be applied in another form, or that are not manifests: what kustomizations
// change or read, and charts. Each has the kinds of the objects that are changed there.
type transformedPaths map[string]changedKinds

// lists reports whether a kustomization lists a file.
func (t transformedPaths) lists(file string) bool {
	_, listed := t[file]
	return listed
}

// changedKinds are the kinds of the objects that kustomizations change; all are, if it is not known which.
type changedKinds struct {
	all   bool
	kinds map[string]bool
}

// has reports whether the objects of a kind in a file may be applied in another form. The set contains the file, or a folder above it.
func (t transformedPaths) has(file, kind string) bool {
	if len(t) == 0 {
		return false
	}
	for at := file; ; at = path.Dir(at) {
		if changed := t[at]; changed.all || changed.kinds[kind] {
			return true
		}
		if at == "." || at == "/" {
			return false
		}
	}
}

// add adds kinds to a path, and reports whether any of them is new.
func (t transformedPaths) add(at string, more changedKinds) (grown bool) {
	known := t[at]
	if known.all {
		return false
	}
	if more.all {
		t[at] = changedKinds{all: true}
		return true
	}
	if _, listed := t[at]; !listed {
		t[at] = known
	}
	for kind := range more.kinds {
		if known.kinds == nil {
			known.kinds = map[string]bool{}
		}
		grown = grown || !known.kinds[kind]
		known.kinds[kind] = true
	}
	if grown {
		t[at] = known
	}
	return grown
}

// find finds the paths of charts, and what kustomizations change. They are not known if a kustomization cannot be read, or if an entry
// goes through a symbolic link or out of the repository. It also returns whether there are only plain files: no charts, and no
// kustomizations.
func (g *kustomizationGraph) find(files *loader.Collection, linked bool) (all transformedPaths, onlyPlain, known bool) {
	g.paths, g.in, g.changed = pathset.Of(files.Names), map[string][]*objects.Kustomization{}, transformedPaths{}
	known, onlyPlain = true, true
	for chart := range g.paths.FoldersWith("Chart.yaml") {
		g.changed.add(chart, changedKinds{all: true})
		onlyPlain = false
	}
	for _, u := range files.Unread {
		if objects.IsKustomizationFile(u.File) && (u.Unknown() || u.Reading == loader.NotText) {
			known = false
		}
	}
	for name, f := range files.Files {
		if objects.IsKustomizationFile(name) {
			onlyPlain = false
			known = known && !linked && g.add(f)
		}
	}
	if known {
		g.follow()
	}
	return g.changed, onlyPlain, known
}

// kustomizationGraph finds what kustomizations change in the files that they reach.
type kustomizationGraph struct {
	// read returns the content of a file; nil if it was not kept. isVendored reports the files of dependencies, which are counted if rules
	// judge something in them: nothing is decided about them.
	read       func(file string) []byte
	isVendored func(file string) bool
	// members are the repositories of a workspace, from which kustomizations can fetch bases.
	members []gitops.Member

	paths *pathset.Set
	// in are the kustomizations by their folder.
	in      map[string][]*objects.Kustomization
	changed transformedPaths
}

// add adds the kustomizations of a file. It is false if one cannot be read.
func (g *kustomizationGraph) add(f *manifest.File) (known bool) {
	for _, doc := range f.Docs {
		if doc.Parse() != nil {
			return false
		}
		k, err := objects.ReadKustomization(doc)
		if err != nil {
			return false
		}
		loader.Resolve([]*objects.Kustomization{k}, g.members, nil, g.paths.Has)
		for _, entry := range k.Resources {
			if !g.paths.Has(entry.Target) && !entry.Remote() {
				return false
			}
		}
		for _, input := range k.NonObjectInputs {
			g.changed.add(input.File, changedKinds{all: true})
		}
		g.in[k.Dir] = append(g.in[k.Dir], k)
	}
	return true
}

// follow adds what each kustomization changes to all that it lists, through any number of other kustomizations.
func (g *kustomizationGraph) follow() {
	var next []*objects.Kustomization
	reaching := map[*objects.Kustomization]transformedPaths{} // the kinds that the kustomization and those above it change, by ""
	push := func(k *objects.Kustomization, more changedKinds) {
		if reaching[k] == nil {
			reaching[k] = transformedPaths{}
		}
		if reaching[k].add("", more) {
			next = append(next, k)
		}
	}
	for _, all := range g.in {
		for _, k := range all {
			push(k, g.changes(k, map[*objects.Kustomization]bool{}))
		}
	}
	for len(next) > 0 {
		k := next[len(next)-1]
		next = next[:len(next)-1]
		for _, entry := range k.Resources {
			g.changed.add(entry.Target, reaching[k][""])
			for _, nested := range g.in[entry.Target] {
				push(nested, reaching[k][""])
			}
		}
	}
}

// changes returns what a kustomization and its components change. A component that is built by itself cannot be: its files are taken
// for changed, so that the report says so. Comments and annotations that silence rules count like a change.
func (g *kustomizationGraph) changes(k *objects.Kustomization, seen map[*objects.Kustomization]bool) changedKinds {
	seen[k] = true
	kinds, certain := k.PatchedKinds(g.read)
	if !certain || g.isVendored != nil && g.isVendored(k.Path) || k.IsComponent() && len(seen) == 1 || bytes.Contains(k.Doc.File.Data, ignoreWord) || len(g.in[k.Dir]) > 1 {
		return changedKinds{all: true}
	}
	own := transformedPaths{}
	for _, kind := range kinds {
		own.add("", changedKinds{kinds: map[string]bool{kind: true}})
	}
	for _, entry := range k.Resources {
		if !g.paths.Has(entry.Target) {
			return changedKinds{all: true} // what is fetched can be anything
		}
		if entry.Field != "components" {
			continue
		}
		components := g.in[entry.Target]
		if len(components) == 0 {
			return changedKinds{all: true}
		}
		for _, component := range components {
			if !seen[component] {
				own.add("", g.changes(component, seen))
			}
		}
	}
	return own[""]
}
