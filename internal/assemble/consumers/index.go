package consumers

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/kube/objects"
)

// Consumer is a program or controller that builds, applies, or writes a file.
type Consumer struct {
	// Place is file:line.
	Place string
	// Program is its name, and Input the file, folder, or pattern that it gets.
	Program, Input string
	// Writes is set if the program writes the file, so that an edit does not last.
	Writes bool
	// Reads is set if the program reads the account of an extension from the file.
	Reads bool
	// Applies is the revision of this repository that is applied instead of the files that are checked out; "" for programs.
	Applies string
}

// edit is the program that changes kustomizations before they are built.
const edit = "kustomize edit"

// String says what happens at the place, without a full stop.
func (c Consumer) String() string {
	switch {
	case c.Applies != "":
		return fmt.Sprintf("%s applies %s at %s, and not the files that are checked out", c.Place, c.Input, c.Applies)
	case c.Reads:
		return fmt.Sprintf("%s reads the account of %s with %s", c.Place, c.Input, c.Program)
	case c.Writes:
		return fmt.Sprintf("%s writes %s with %s", c.Place, c.Input, c.Program)
	}
	if c.Program == edit {
		return fmt.Sprintf("%s changes the kustomization in %s with %s", c.Place, c.Input, c.Program)
	}
	return fmt.Sprintf("%s passes %s to %s, which salint does not build", c.Place, c.Input, c.Program)
}

// script returns the file in which it is.
func (c Consumer) script() string {
	file, _, _ := strings.Cut(c.Place, ":")
	return file
}

// Sources are what an index is made of.
type Sources struct {
	// Texts are the files that may name others: scripts, settings, manifests. Read returns the content of one, or nil.
	Texts []string
	Read  func(file string) []byte
	// Paths are all files of the repository.
	Paths *pathset.Set
	// Kustomizations are those of the repository.
	Kustomizations []*objects.Kustomization
	// Applications are what applies files of the repository, and Remotes the addresses of the repository.
	Applications []*gitops.Application
	Remotes      []string
}

// Index has the consumers of a repository.
type Index struct {
	from   Sources
	inputs map[string]Consumer // by file or folder
	// built are the folders of kustomizations whose result a program changes, and the files that these read.
	built map[string]Consumer
	// stores is set if the repository takes objects from a store, into which programs copy files.
	stores    bool
	uploads   []upload1
	byFolder  map[string]*objects.Kustomization
	revisions map[string]Consumer
	helmRuns  map[string][]HelmRun // by the folder of the chart
	// addresses are those of the GitRepositories, by name; nil before the first question.
	addresses map[string]string
	// modules are the values of the names in modules of Terraform, by their folders.
	modules map[string]map[string]string
}

type upload1 struct {
	consumer Consumer
	paths    []string
}

// New reads the sources.
func New(from Sources) *Index {
	x := &Index{
		from: from, inputs: map[string]Consumer{}, built: map[string]Consumer{}, byFolder: map[string]*objects.Kustomization{}, revisions: map[string]Consumer{},
		helmRuns: map[string][]HelmRun{}, modules: map[string]map[string]string{},
	}
	for _, k := range from.Kustomizations {
		if x.byFolder[k.Dir] == nil {
			x.byFolder[k.Dir] = k
		}
	}
	for _, file := range from.Texts {
		if reads := readersOf(file); len(reads) > 0 || objects.IsManifestName(file) {
			data := from.Read(file)
			for _, read := range reads {
				read(x, file, data)
			}
			if objects.IsManifestName(file) {
				x.manifest(file, data)
			}
		}
	}
	if x.stores {
		for _, u := range x.uploads {
			x.add(u.consumer, u.paths)
		}
	}
	x.remoteBases()
	x.otherRevisions()
	return x
}

// Of returns what builds, applies, or writes a file; ok is false if nothing does.
func (x *Index) Of(file string) (c Consumer, ok bool) {
	if c, ok = x.built[file]; ok {
		return c, true
	}
	for at := file; ; at = path.Dir(at) {
		if c, ok = x.inputs[at]; ok {
			return c, true
		}
		if at == "." {
			return Consumer{}, false
		}
	}
}

// OfRevision returns the application that applies another revision of a file; ok is false if none does.
func (x *Index) OfRevision(file string) (c Consumer, ok bool) {
	for at := file; ; at = path.Dir(at) {
		if c, ok = x.revisions[at]; ok {
			return c, true
		}
		if at == "." {
			return Consumer{}, false
		}
	}
}

// add adds a consumer of paths, which can have patterns. What a kustomization in a folder reads is read as well.
func (x *Index) add(c Consumer, paths []string) {
	for _, found := range x.addFiles(c, paths) {
		if x.byFolder[found] != nil {
			c.Input = found
			x.addBuilt(c, found)
		}
	}
}

// addFiles adds a consumer of nothing but the files and folders that paths match, and returns them.
func (x *Index) addFiles(c Consumer, paths []string) []string {
	var all []string
	for _, p := range paths {
		for _, found := range x.matching(p) {
			c.Input = cmp.Or(found, p)
			if known, is := x.inputs[found]; !is || c.Writes && !known.Writes {
				x.inputs[found] = c
			}
			all = append(all, found)
		}
	}
	return all
}

// addBuilt adds a consumer of all files that the kustomization of a folder reads.
func (x *Index) addBuilt(c Consumer, dir string) {
	k := x.byFolder[dir]
	if k == nil {
		return
	}
	if _, known := x.built[k.Path]; known {
		return
	}
	x.built[k.Path] = c
	for _, e := range k.Resources {
		if _, known := x.built[e.Target]; !known && x.from.Paths.HasFile(e.Target) {
			x.built[e.Target] = c
		}
		x.addBuilt(c, e.Target)
	}
	for _, input := range k.NonObjectInputs {
		if _, known := x.built[input.File]; !known {
			x.built[input.File] = c
		}
	}
}

// at returns a consumer at a line.
func at(file string, line int, program string) Consumer {
	return Consumer{Place: fmt.Sprintf("%s:%d", file, line), Program: program}
}

// remoteBases adds the folders that kustomizations fetch by the address of this repository: they get a copy of a revision.
func (x *Index) remoteBases() {
	for _, k := range x.from.Kustomizations {
		for _, e := range k.Resources {
			if !e.Remote() {
				continue
			}
			folder, here := sources.FolderHere(e.Value, x.from.Remotes)
			if !here || folder == "." || !x.from.Paths.HasFolder(folder) {
				continue
			}
			c := at(k.Path, e.Position.Line, "kustomize")
			if _, ref, has := strings.Cut(e.Value, "?ref="); has {
				c.Applies, _, _ = strings.Cut(ref, "&")
			}
			x.add(c, []string{folder})
		}
	}
}

// otherRevisions adds the folders that applications apply at another revision.
func (x *Index) otherRevisions() {
	for _, a := range x.from.Applications {
		for _, s := range a.Sources {
			if !s.OtherRevision || s.Path.Value == "" || !x.from.Paths.HasFolder(s.Path.Value) {
				continue
			}
			position := s.Revision.Location.Position()
			c := at(position.File, position.Line, string(a.Tool))
			c.Applies, c.Input = s.Revision.Value, s.Path.Value
			if _, known := x.revisions[s.Path.Value]; !known {
				x.revisions[s.Path.Value] = c
			}
		}
	}
}
