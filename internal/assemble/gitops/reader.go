package gitops

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/template"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// reader is the state of one Read.
type reader struct {
	files  *files
	judge  *judge
	budget *template.Budget
	// named holds the objects that others name, by group, kind and name.
	named map[objectName][]*objects.Object
	// near holds those of them that a namespace may mean.
	near      map[meaning]*objects.FolderIndex
	generated int
	seen      map[unseenKey]bool
	result    *Result
}

type objectName struct{ group, kind, name string }

// meaning is a name as it is meant in a namespace.
type meaning struct {
	objectName
	namespace string
}

func newReader(objs []*objects.Object, o Options) *reader {
	r := &reader{
		files: newFiles(o.Tree), budget: template.NewBudget(),
		named: map[objectName][]*objects.Object{}, near: map[meaning]*objects.FolderIndex{},
		seen: map[unseenKey]bool{}, result: &Result{},
	}
	for _, object := range objs {
		name := objectName{object.Group, object.Kind, object.Name}
		r.named[name] = append(r.named[name], object)
		if is(object, argoGroup, kindAppProject) {
			r.result.projects = append(r.result.projects, object)
		}
	}
	r.result.settings = r.readSettings()
	r.judge = newJudge(o.Remotes, r.files, r.claims(objs))
	return r
}

// find gives the object that another one means by a name, in its own namespace where none is said. Of several in folders of
// different clusters it is the nearest; where that does not decide, nothing is found and tied is true.
func (r *reader) find(from *objects.Object, name objectName, namespace string) (found *objects.Object, tied bool) {
	if namespace == "" {
		namespace = from.Namespace
	}
	key := meaning{name, namespace}
	if r.near[key] == nil {
		var candidates []*objects.Object
		for _, object := range r.named[name] {
			if objects.SameNamespace(object.Namespace, namespace) {
				candidates = append(candidates, object)
			}
		}
		r.near[key] = objects.NewFolderIndex(candidates)
	}
	nearest := r.near[key].Nearest(from)
	switch len(nearest) {
	case 0:
		return nil, false
	case 1:
		return nearest[0], false
	}
	return nil, true
}

// skip notes something that no application could be made of.
func (r *reader) skip(at Place, format string, args ...any) {
	r.result.NotChecked = append(r.result.NotChecked, Reason{at, fmt.Sprintf(format, args...)})
}

// lacks notes something that is not known about an application.
func (a *Application) lacks(at Place, format string, args ...any) {
	a.NotChecked = append(a.NotChecked, Reason{at, fmt.Sprintf(format, args...)})
}

// later tells whether a text is filled in before the object is applied, by Flux, Helm or a generator.
func later(text string) bool { return rbac.Templated(text) || template.Unfilled(text) }

// inRepository turns a path of a source into one from the root of the repository; false when it leads out of it.
func inRepository(name string) (string, bool) {
	clean := path.Join(".", strings.TrimPrefix(name, "/"))
	return clean, clean != ".." && !strings.HasPrefix(clean, "../")
}

// files knows which files and folders there are.
type files struct {
	tree    Tree
	names   []string
	present map[string]bool
	folders map[string]bool
	// shown are the folders that git generators see, sorted: not the root, and none that is hidden or in a hidden one.
	shown []string
	// ignores are the files that say what Flux does not fetch.
	ignores map[string]read
}

func newFiles(tree Tree) *files {
	f := &files{tree: tree, present: map[string]bool{}, folders: map[string]bool{}, ignores: map[string]read{}}
	if tree == nil {
		return f
	}
	f.names = tree.Files()
	for _, name := range f.names {
		f.present[name] = true
		for dir := path.Dir(name); !f.folders[dir]; dir = path.Dir(dir) {
			f.folders[dir] = true
		}
	}
	for dir := range f.folders {
		if !strings.HasPrefix(dir, ".") && !strings.Contains(dir, "/.") {
			f.shown = append(f.shown, dir)
		}
	}
	slices.Sort(f.shown)
	return f
}

func (f *files) known() bool { return f.tree != nil }

func (f *files) exists(name string) bool { return f.present[name] || f.folders[name] }

// kustomizationIn gives the kustomization file of a folder, or "".
func (f *files) kustomizationIn(dir string) string {
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		if file := path.Join(dir, name); f.present[file] {
			return file
		}
	}
	return ""
}
