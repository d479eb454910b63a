package gitops

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/template"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// reader is the state of one Read.
type reader struct {
	files *files
	// members are the repositories that are read: one, or those of a workspace.
	members []*member
	budget  *template.Budget
	// roots are the folders of different clusters, see clusterRoots.
	roots []string
	// named are the objects that others reference, by group, kind and name.
	named map[objectName][]*objects.Object
	// near are the candidates for a name in a namespace.
	near map[scopedName]*Namesakes
	// unit is the one in which an object is read, or nil, and differs is set if a name means another object in another unit that applies it.
	unit    *objects.Unit
	differs bool
	// strict is set if Flux fails on variables without a value, and mayBeStrict if that depends on its version.
	strict, mayBeStrict bool

	generated int
	seen      map[unresolvedKey]bool
	result    *Result
}

type objectName struct{ group, kind, name string }

// scopedName is a name as referenced from a namespace.
type scopedName struct {
	objectName
	namespace string
	// root is the folder of the cluster of the object that refers to it, see [reader.clusterIn].
	root string
}

func newReader(objs []*objects.Object, o Options) *reader {
	r := &reader{
		members: membersOf(o), budget: template.NewBudget(),
		named: map[objectName][]*objects.Object{}, near: map[scopedName]*Namesakes{},
		seen: map[unresolvedKey]bool{}, result: &Result{units: o.Units},
	}
	r.files = newFiles(o.Tree, r.inMember)
	for _, object := range objs {
		name := objectName{object.Group, object.Kind, object.Name}
		r.named[name] = append(r.named[name], object)
		if isKind(object, argoGroup, kindAppProject) {
			r.result.projects = append(r.result.projects, object)
		}
	}
	r.roots = r.clusterRoots(objs)
	r.result.settings = r.readSettings()
	r.readFluxVersions(objs)
	r.result.settings.instances = slices.DeleteFunc(slices.Clone(objs), func(o *objects.Object) bool { return !isKind(o, argoGroup, kindArgoCD) })
	for _, m := range r.members {
		m.judge = newJudge(m, r.files, r.folderReferences(r.objectsIn(m, objs)))
	}
	return r
}

// Find returns the object that another one references by name; namespace defaults to that of the other object. Of several
// objects it returns that of the same unit, otherwise the nearest, as clusters have folders; if that is ambiguous, it returns nil and tied.
func (r *reader) find(from *objects.Object, name objectName, namespace string) (found *objects.Object, tied bool) {
	if namespace == "" {
		namespace = from.Namespace
	}
	units := r.result.units[from]
	unit := r.unit
	if unit == nil && len(units) == 1 {
		unit = units[0]
	}
	found, tied = r.namesakes(scopedName{name, namespace, r.clusterIn(from, unit)}).Find(from, unit)
	for _, other := range units {
		if there, _ := r.namesakes(scopedName{name, namespace, r.clusterIn(from, other)}).Find(from, other); there != found {
			r.differs = true
		}
	}
	return found, tied
}

// namesakes returns the candidates for a name.
func (r *reader) namesakes(key scopedName) *Namesakes {
	if r.near[key] == nil {
		var candidates []*objects.Object
		for _, object := range r.named[key.objectName] {
			if objects.SameNamespace(object.Namespace, key.namespace) && !r.isElsewhere(object, key.root) {
				candidates = append(candidates, object)
			}
		}
		r.near[key] = r.result.NewNamesakes(candidates)
	}
	return r.near[key]
}

// Namesakes are the objects of one name.
type Namesakes struct {
	folders *objects.FolderIndex
	inUnit  map[*objects.Unit][]*objects.Object
}

// NewNamesakes returns the namesakes among which [Namesakes.Find] chooses by the units that apply them.
func (r *Result) NewNamesakes(objs []*objects.Object) *Namesakes {
	n := &Namesakes{objects.NewFolderIndex(objs), map[*objects.Unit][]*objects.Object{}}
	for _, o := range objs {
		for _, unit := range r.units[o] {
			n.inUnit[unit] = append(n.inUnit[unit], o)
		}
	}
	return n
}

// Find returns the object to which another one refers: that of a unit, otherwise the nearest. If several are equally near, it returns nil and tied.
func (n *Namesakes) Find(from *objects.Object, unit *objects.Unit) (found *objects.Object, tied bool) {
	if own := n.inUnit[unit]; len(own) == 1 {
		return own[0], false
	}
	nearest := n.folders.Nearest(from)
	switch len(nearest) {
	case 0:
		return nil, false
	case 1:
		return nearest[0], false
	}
	return nil, true
}

// addNotChecked records something that is unknown about an application.
func (a *Application) addNotChecked(at view.Location, format string, args ...any) {
	a.NotChecked = append(a.NotChecked, Reason{Location: at, Message: fmt.Sprintf(format, args...)})
}

// addForeign records a source outside this repository.
func (a *Application) addForeign(s *sources.Source) {
	a.addNotChecked(s.Location, "the source %s of %s was not checked: %s", shown(s.Path.Value), shown(s.Repository.URL.Value), s.Repository.Why)
}

// addUnknownPath records a path that is filled in later.
func (a *Application) addUnknownPath(path view.Field[string]) {
	a.addNotChecked(path.Location, "the path %q %s", path.Value, hasVariable)
}

// addMissingFolder records a folder that does not exist.
func (a *Application) addMissingFolder(path view.Field[string]) {
	a.addNotChecked(path.Location, "the folder %s is not in the repository", shown(path.Value))
}

// addUnknownValues records values of a chart that are unknown.
func (a *Application) addUnknownValues(at view.Location, format string, args ...any) {
	a.NotChecked = append(a.NotChecked, Reason{Location: at, Message: fmt.Sprintf(format, args...), Values: true})
}

// addMissingValues records a values file that does not exist.
func (a *Application) addMissingValues(file view.Field[string]) {
	a.addUnknownValues(file.Location, "the values file %s is not in the repository", shown(file.Value))
}

// hasVariable is the message about a string for which [filledInLater] is true.
const hasVariable = "contains a variable that is filled in later"

// filledInLater reports whether a string is filled in before the object is applied, by Flux, Helm, or a generator.
func filledInLater(text string) bool { return rbac.Templated(text) || template.HasTag(text) }

// inRepository resolves the path of a source from the root of the repository in a folder, see [sources.Repository]; false if it leads out of the
// repository.
func inRepository(dir, name string) (string, bool) {
	clean := path.Join(".", strings.TrimPrefix(name, "/"))
	return path.Join(dir, clean), clean != ".." && !strings.HasPrefix(clean, "../")
}

// files are the files and folders of the repository.
type files struct {
	*pathset.Set
	tree Tree
	// shown are the folders that git generators see, sorted: not the root, and none that is hidden or in a hidden one.
	shown []string
	// ignores list what Flux does not fetch; nil until they are read.
	ignores *sourceIgnores
}

// isShown reports whether generators of Argo CD see a folder.
func isShown(dir string) bool { return !strings.HasPrefix(dir, ".") && !strings.Contains(dir, "/.") }

// newFiles takes a function that returns a path from the root of its repository.
func newFiles(tree Tree, inMember func(string) string) *files {
	f := &files{tree: tree}
	if tree == nil {
		return f
	}
	f.Set = pathset.Of(tree.Names())
	for _, dir := range slices.AppendSeq(f.foldersOfLinks(), f.Folders()) {
		if isShown(inMember(dir)) {
			f.shown = append(f.shown, dir)
		}
	}
	slices.Sort(f.shown)
	return f
}

func (f *files) known() bool { return f.tree != nil }

// kustomizationIn returns the kustomization file of a folder, or "".
func (f *files) kustomizationIn(dir string) string {
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		if file := path.Join(dir, name); f.HasFile(file) {
			return file
		}
	}
	return ""
}

// UnitOf returns the only unit that applies an application; nil if there are several, or none.
func (r *Result) UnitOf(a *Application) *objects.Unit {
	if units := r.units[a.Object]; a.unit == nil && len(units) == 1 {
		return units[0]
	}
	return a.unit
}
