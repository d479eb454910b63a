package refusal

import (
	"path"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/resid"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// Refusal is why kustomize refuses to build a folder.
type Refusal struct {
	// Position is the place in a kustomization, or in a file that it names.
	Position objects.Position
	// Reason is a sentence without a period.
	Reason string
	// Dir is the folder whose kustomization is refused: the one to be built, or one that it lists.
	Dir string
	// Outside is set if a file is not in or below the folder, which is refused only while the restriction to such files is not lifted.
	Outside bool
	// Uncertain is set if another version of kustomize may build it, or a build with other options or with files that are not in the tree.
	Uncertain bool
}

// Options are how a folder is built.
type Options struct {
	// Flux is set if only Flux builds the folder. It decodes the kustomization of the folder without refusing unknown fields
	// (fluxcd/pkg, kustomize/kustomize_generator.go).
	Flux bool
	// Unrestricted lets kustomizations read files of the tree outside of their folders, see [render.KustomizeOptions].
	Unrestricted bool
	// File is the kustomization of the folder, and Text its content, if it is not the one in the tree.
	File, Text string
}

// Walk reads the kustomizations of a tree. It reads each file once, for all folders, and can be used by several goroutines.
type Walk struct {
	files   render.Files
	ignored func(file string) bool

	read    sync.Map // by file: a function that returns *content
	folders sync.Map // by folderKey: *folder
}

// New returns a walk through a tree. A missing file that is ignored can exist where the folder is built, so that nothing is refused because
// of it; ignored can be nil.
func New(files render.Files, ignored func(file string) bool) *Walk {
	return &Walk{files: files, ignored: ignored}
}

// Of returns why kustomize refuses to build a folder: the first reason that is found; nil if there is none, or if it depends on what is
// not in the tree, or on what only a build shows.
func (w *Walk) Of(dir string, o Options) *Refusal {
	dir, err := render.Resolve(w.files, path.Clean(dir))
	if err != nil {
		return nil
	}
	return w.folder(dir, o, nil).refusal
}

// folderKey identifies the result of a folder.
type folderKey struct {
	dir                      string
	root, flux, unrestricted bool
	// file and text are those of the options at the root; only there they count.
	file, text string
}

// folder is what a kustomization and everything that it lists add up to.
type folder struct {
	refusal *Refusal
	objects accumulated
	// reached are the folders below it in the order of kustomizations.
	reached []string
	// dependents are entries of its kustomizations.
	dependents dependents
}

// accumulated are objects in the order in which kustomize reads them.
type accumulated struct {
	list []object
	byID map[string]int
	// open is set if there can be more objects: of remote bases, charts, and plugins.
	open  bool
	reach reach
}

// object is an object by its name in the build.
type object struct {
	id   resid.ResId
	file string
	// changed is set if something may have changed its name since it was read.
	changed bool
}

// String returns the object's kind, namespace, and name.
func (o object) String() string {
	name := o.id.Name
	if o.id.Namespace != "" {
		name = o.id.Namespace + "/" + name
	}
	return o.id.Kind + " " + name
}

func key(id resid.ResId) string {
	return strings.Join([]string{id.Group, id.Version, id.Kind, id.EffectiveNamespace(), id.Name}, "\x00")
}

// add adds an object. It returns the one that has its name already.
func (a *accumulated) add(o object) (first object, twice bool) {
	if a.byID == nil {
		a.byID = map[string]int{}
	}
	if !o.changed {
		if i, there := a.byID[key(o.id)]; there {
			return a.list[i], true
		}
		a.byID[key(o.id)] = len(a.list)
	}
	a.list = append(a.list, o)
	return object{}, false
}

// change records that the objects so far may get other names, and that some may be removed.
func (a *accumulated) change() {
	for i := range a.list {
		a.list[i].changed = true
	}
	a.byID = nil
}

// hide records that there can be objects that are not known.
func (a *accumulated) hide() { a.open, a.reach.hidden = true, true }

// isExact reports whether the names of all objects are known.
func (a *accumulated) isExact() bool { return !a.open && len(a.byID) == len(a.list) }

// folder adds up a folder that the open ones list, the root first. The result is the same for all that list it, so that it is computed once;
// two goroutines that need it at the same time both compute it, because one that waits could wait in a cycle.
func (w *Walk) folder(dir string, o Options, open []string) *folder {
	at := folderKey{dir: dir, root: len(open) == 0, flux: o.Flux, unrestricted: o.Unrestricted}
	if at.root {
		at.file, at.text = o.File, o.Text
	}
	if found, known := w.folders.Load(at); known {
		return found.(*folder)
	}
	found, _ := w.folders.LoadOrStore(at, w.newFolder(dir, o, open))
	return found.(*folder)
}

func (w *Walk) newFolder(dir string, o Options, open []string) *folder {
	f := &folder{}
	v := visit{walk: w, options: o, dir: dir, open: append(open[:len(open):len(open)], dir), into: &f.objects, dependents: dependents{}}
	f.refusal = v.accumulate(false)
	f.reached, f.dependents = v.reached, v.dependents
	return f
}

// place returns the position of a path in a kustomization file.
func place(file string, data []byte, at manifest.Path) objects.Position {
	position := objects.Position{File: file, Line: 1, Column: 1}
	scanned := manifest.Scan(file, data)
	for _, doc := range scanned.Docs {
		if doc.Parse() == nil && doc.Root.IsMapping() {
			position.Line, position.Column = scanned.Position(doc.Locate(at).Start)
			break
		}
	}
	return position
}
