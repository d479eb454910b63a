package applications

import (
	"context"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/restmap"
)

// Options are what units are made of.
type Options struct {
	Objects        []*objects.Object
	Kustomizations []*objects.Kustomization
	// Names are all files of the repository.
	Names []string
	// Remotes are the addresses of its git remotes.
	Remotes []string
	// Overlay says how overlays are built; its Edits are not looked at.
	Overlay overlay.Options
	// Charts is how those of applications are rendered; its Known is not looked at. Rendered are the units that charts have by
	// themselves: the objects of applications may be among theirs.
	Charts   charts.Options
	Rendered []*objects.Unit
}

// maxRounds bounds how often applications are read again because of what applications do to them. Those of Flux are often
// applied by another one that fills in their paths; few go deeper.
const maxRounds = 5

// Build makes the units of kustomizations, of applications and of plain files, which come last. It reads the objects of Argo
// CD and Flux as they are applied. The error is that of ctx.
func Build(ctx context.Context, o Options) ([]*objects.Unit, *Set, error) {
	m := newMaker(ctx, o)
	objects := m.start()
	for round := 1; ; round++ {
		result := gitops.Read(objects, gitops.Options{Remotes: o.Remotes, Tree: m.tree()})
		plan := m.plan(result)
		units := plan.units()
		if m.err != nil {
			return nil, nil, m.err
		}
		next := interesting(slices.Concat(units, plan.byThemselves(o.Rendered)))
		if round == maxRounds || len(result.Applications) == 0 || same(objects, next) {
			set := NewSet(result)
			set.Problems = plan.problems()
			plan.addUnproven(set)
			plan.addFolders(set)
			return units, set, ctx.Err()
		}
		objects = next
	}
}

// maker makes the units of several rounds.
type maker struct {
	Options
	ctx   context.Context
	err   error
	known map[string]bool // files and folders
	// skipped are files that say that Argo CD is not to apply them.
	skipped map[string]bool
	kinds   *restmap.Map
	built   map[string]*objects.Unit // by what they are built from
	remade  map[remade]*objects.Object
	charts  map[string]*objects.Unit // by their sets
}

func newMaker(ctx context.Context, o Options) *maker {
	m := &maker{
		Options: o, ctx: ctx, known: map[string]bool{".": true}, kinds: restmap.New(),
		built: map[string]*objects.Unit{}, remade: map[remade]*objects.Object{},
		charts: map[string]*objects.Unit{}, skipped: map[string]bool{},
	}
	for _, name := range o.Names {
		for ; !m.known[name]; name = path.Dir(name) {
			m.known[name] = true
		}
	}
	for _, object := range o.Objects {
		if gitops.SkipsFile(object.Doc.File.Data) {
			m.skipped[object.File] = true
		}
		if object.Kind == "CustomResourceDefinition" {
			m.kinds.AddCRD(object.JSON())
		}
	}
	return m
}

func (m *maker) exists(name string) bool { return m.known[name] }

// tree is what gitops is told of the files: nothing where there are none, as on standard input.
func (m *maker) tree() gitops.Tree {
	if len(m.Names) == 0 {
		return nil
	}
	return files{m.Names, m.Overlay.Files}
}

func (m *maker) assembly() *objects.Assembly {
	return objects.NewAssembly(m.Objects, m.Kustomizations, m.Names...)
}

// start finds the objects to read first. Only kustomizations with such an object are built for that: most of the others are
// built soon, but some only with the changes of an application.
func (m *maker) start() []*objects.Object {
	if !slices.ContainsFunc(m.Objects, isInteresting) && len(interesting(m.Rendered)) == 0 {
		return nil
	}
	a := m.assembly()
	var drafts []draft
	for _, root := range a.Roots() {
		if slices.ContainsFunc(root.Objects, isInteresting) {
			drafts = append(drafts, draft{unit: root})
		}
	}
	units := slices.Concat(m.build(drafts), m.Rendered)
	if plain := a.Plain(); plain != nil {
		units = append(units, plain)
	}
	return interesting(units)
}

var kinds = gitops.Kinds()

// isInteresting tells whether gitops.Read looks at an object.
func isInteresting(o *objects.Object) bool {
	words, ok := kinds[o.Kind]
	return ok && slices.Contains(words, o.Group) || o.Kind == "ConfigMap" && o.Group == ""
}

// interesting lists those of units, each once.
func interesting(units []*objects.Unit) []*objects.Object {
	var found []*objects.Object
	seen := map[*objects.Object]bool{}
	for _, unit := range units {
		for _, o := range unit.Objects {
			if !seen[o] && isInteresting(o) {
				seen[o] = true
				found = append(found, o)
			}
		}
	}
	return found
}

// same tells whether two lists have objects that say the same, in any order.
func same(a, b []*objects.Object) bool {
	return maps.Equal(texts(a), texts(b))
}

func texts(objects []*objects.Object) map[string]int {
	count := map[string]int{}
	for _, o := range objects {
		text, err := json.Marshal(o.JSON())
		if err != nil {
			text = nil // it is not one of JSON's, and stays what it is
		}
		count[o.Ref()+"\n"+string(text)]++
	}
	return count
}

// draft is a unit of a kustomization that is not built yet, with the edit of an application, if there is one.
type draft struct {
	unit *objects.Unit
	edit *overlay.Edit
}

// key tells drafts apart that are built to different units.
func (d draft) key() string {
	if d.edit == nil {
		return d.unit.Root
	}
	return strings.Join([]string{d.unit.Root, d.edit.Position.String(), string(d.edit.Data)}, "\n")
}

// build builds drafts, of which some may have been built before.
func (m *maker) build(drafts []draft) []*objects.Unit {
	options := m.Overlay
	options.Edits = map[*objects.Unit]*overlay.Edit{}
	var missing []*objects.Unit
	var keys []string
	for _, d := range drafts {
		key := d.key()
		if _, there := m.built[key]; there {
			continue
		}
		m.built[key] = nil
		missing, keys = append(missing, d.unit), append(keys, key)
		if d.edit != nil {
			options.Edits[d.unit] = d.edit
		}
	}
	if known := options.Known; known != nil {
		options.Known = func(u *objects.Unit) *objects.Unit {
			if options.Edits[u] != nil {
				return nil // it is called like the unit without the edit
			}
			return known(u)
		}
	}
	made, err := overlay.Build(m.ctx, missing, options)
	if err != nil {
		m.err = err
		return nil
	}
	for i, unit := range made {
		m.built[keys[i]] = unit
	}
	units := make([]*objects.Unit, len(drafts))
	for i, d := range drafts {
		units[i] = m.built[d.key()]
	}
	return units
}
