package applications

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/restmap"
)

// Options are the inputs of [Build].
type Options struct {
	Objects        []*objects.Object
	Kustomizations []*objects.Kustomization
	// Alone returns kustomizations that are units although others list them; it can be nil.
	Alone func(context.Context, *assembly.Builder) []*objects.Kustomization
	// Scripted reports whether a command in a file of the repository builds a folder with kustomize's restriction to files below each
	// kustomization; it can be nil.
	Scripted func(ctx context.Context, a *assembly.Builder, dir string) bool
	// Lifted reports whether commands build a folder only without this restriction; it can be nil.
	Lifted func(ctx context.Context, a *assembly.Builder, dir string) bool
	// Apart reports files that are in no unit unless an application, or a kustomization elsewhere, applies them, see
	// [assembly.Builder.SetApart]; it can be nil.
	Apart func(file string) bool
	// Absent returns why a path that a kustomization lists is not among Names, see [assembly.Builder.SetAbsent]; it can be nil.
	Absent func(target string) string
	// Names are the names of all files of the repository.
	Names []string
	// Remotes are the addresses of the repository's git remotes.
	Remotes []string
	// Branches are those whose files are those of the tree.
	Branches []string
	// Members are the repositories of a workspace; nil for one repository.
	Members []gitops.Member
	// Links are the symbolic links of the tree, with the paths to which they lead.
	Links map[string]string
	// Overlay configures how overlays are built. Its Edits, Unrestricted, and Lifted are ignored.
	Overlay overlay.Options
	// Charts configures how charts of applications are rendered. Its Known is ignored. Rendered are the units of charts
	// that are rendered without an application; they can contain objects that applications apply.
	Charts   charts.Options
	Rendered []*objects.Unit
}

// maxRounds limits how often applications are read again after an application changed them. A Flux Kustomization often
// fills in the paths of the Kustomizations that it applies; deeper nesting is rare.
const maxRounds = 5

// Build returns the units of kustomizations, then those of applications, then the unit of plain files. It reads the objects
// of Argo CD and Flux as they are applied. The error is that of ctx.
func Build(ctx context.Context, o Options) ([]*objects.Unit, *Set, error) {
	m := newUnitBuilder(ctx, o)
	input := m.firstObjects()
	m.settling = len(input.objects) > 0
	settled := input
	for round := 1; ; round++ {
		m.roundObjects = input.objects
		result := m.readApplications(input)
		plan := m.plan(result)
		units := plan.units()
		if m.err != nil {
			return nil, nil, m.err
		}
		next := gitOpsObjects(slices.Concat(units, plan.standaloneCharts(o.Rendered)))
		if m.settling && (round == maxRounds || sameContents(input.objects, next.objects)) {
			m.settling, round, input, settled = false, 0, next, next
			continue
		}
		if !m.settling && (round == maxRounds || len(result.Applications) == 0 || sameContents(input.objects, next.objects)) {
			if len(plan.deferred) > 0 && len(notIn(next.objects, input.objects))+len(notIn(input.objects, next.objects)) > 0 {
				m.eager, round, input = true, 0, settled // the applications are not those of the units
				continue
			}
			set := NewSet(result)
			if len(plan.deferred) > 0 {
				plan.setLater(set, units)
			}
			set.Problems, set.Unmentioned = plan.problems(), plan.unmentioned
			plan.addUnresolved(set)
			for _, unit := range units {
				set.leftOut = append(set.leftOut, unit.LeftOut...)
			}
			plan.addFolders(set)
			return units, set, ctx.Err()
		}
		input = next
	}
}

// readApplications reads the applications of objects.
func (m *unitBuilder) readApplications(input gitOpsInput) *gitops.Result {
	return gitops.Read(input.objects, gitops.Options{Remotes: m.Remotes, Branches: m.Branches, Members: m.Members, Tree: m.repositoryTree(), Units: input.units})
}

// unitBuilder builds units in several rounds.
type unitBuilder struct {
	Options
	ctx   context.Context
	err   error
	paths *pathset.Set
	// byFolder are the files of folders, computed on demand.
	byFolder map[string][]string
	// skipped are the files that contain the mark that keeps Argo CD from applying them.
	skipped map[string]bool
	// refusedFiles are the files that were read as Argo CD does it, with why it fails, or nil.
	refusedFiles map[string]*objects.Problem
	kinds        *restmap.Map
	built        map[string]*objects.Unit // by [draft.key]
	postBuilt    map[postBuildKey]*objects.Object
	changes      map[changeKey]change
	edits        map[editKey][]byte
	tree         gitops.Tree
	charts       map[string]*objects.Unit // by [chart.key]
	// settling is true in the first rounds, until the objects that apply folders stay the same. Other units are not built in these
	// rounds, because most of them are built with the changes of an application that only later rounds know.
	settling bool
	// roundObjects are the objects from which the applications are read in this round. eager is true if no unit of an application is built later.
	roundObjects []*objects.Object
	eager        bool
}

func newUnitBuilder(ctx context.Context, o Options) *unitBuilder {
	m := &unitBuilder{
		Options: o, ctx: ctx, paths: pathset.Of(o.Names), kinds: restmap.New(),
		built: map[string]*objects.Unit{}, postBuilt: map[postBuildKey]*objects.Object{}, changes: map[changeKey]change{}, edits: map[editKey][]byte{},
		charts: map[string]*objects.Unit{}, skipped: map[string]bool{}, refusedFiles: map[string]*objects.Problem{},
	}
	m.Overlay.Lifted = func(u *objects.Unit) bool { return o.Lifted != nil && o.Lifted(ctx, m.assembly(), u.Root) }
	searched := map[string]bool{} // a file can have thousands of objects
	for _, object := range o.Objects {
		if !searched[object.File] && sources.SkipsFile(object.Doc.File.Data) {
			m.skipped[object.File] = true
		}
		searched[object.File] = true
		if object.Kind == "CustomResourceDefinition" {
			m.kinds.AddCRD(object.JSON())
		}
	}
	return m
}

// alone returns the kustomizations that are units although others list them. They are the same in every round.
func (m *unitBuilder) alone(a *assembly.Builder) []*objects.Kustomization {
	if m.Alone == nil {
		return nil
	}
	return m.Alone(m.ctx, a)
}

func (m *unitBuilder) exists(name string) bool { return m.paths.Has(name) }

// repositoryTree returns the files for gitops, or nil if no files are known, as on standard input.
func (m *unitBuilder) repositoryTree() gitops.Tree {
	if m.tree == nil && len(m.Names) > 0 {
		m.tree = files{m.Names, m.Overlay.Files, map[string]fileResult{}, map[string][]string{}, m.Links}
	}
	return m.tree
}

func (m *unitBuilder) assembly() *assembly.Builder {
	a := assembly.NewBuilder(m.Objects, m.Kustomizations, m.Names...)
	a.SetApart(m.Apart)
	a.SetAbsent(m.Absent)
	return a
}

// firstObjects returns the objects to read first. It builds only the kustomizations that contain such an object. Most
// others are built later anyway, and some only with the changes of an application.
func (m *unitBuilder) firstObjects() gitOpsInput {
	if !slices.ContainsFunc(m.Objects, isGitOpsObject) && len(gitOpsObjects(m.Rendered).objects) == 0 {
		return gitOpsInput{}
	}
	a := m.assembly()
	var drafts []draft
	for _, root := range a.Roots() {
		if slices.ContainsFunc(root.Objects, isGitOpsObject) {
			drafts = append(drafts, draft{unit: root})
		}
	}
	units := slices.Concat(m.build(drafts), m.Rendered)
	if plain := a.Plain(); plain != nil {
		units = append(units, plain)
	}
	return gitOpsObjects(units)
}

var kinds = gitops.Kinds()

// isGitOpsObject reports whether gitops.Read reads an object.
func isGitOpsObject(o *objects.Object) bool {
	words, ok := kinds[o.Kind]
	return ok && slices.Contains(words, o.Group) || o.Kind == "ConfigMap" && o.Group == ""
}

// gitOpsInput is what [gitops.Read] reads.
type gitOpsInput struct {
	// objects are each there once, and units are those that apply them, without the unit of plain files.
	objects []*objects.Object
	units   map[*objects.Object][]*objects.Unit
}

// gitOpsObjects returns the objects of units that gitops.Read reads.
func gitOpsObjects(units []*objects.Unit) gitOpsInput {
	found := gitOpsInput{units: map[*objects.Object][]*objects.Unit{}}
	seen := map[*objects.Object]bool{}
	for _, unit := range units {
		for _, o := range unit.Objects {
			if !isGitOpsObject(o) {
				continue
			}
			if !seen[o] {
				seen[o] = true
				found.objects = append(found.objects, o)
			}
			if unit.Kind != objects.PlainUnit {
				found.units[o] = append(found.units[o], unit)
			}
		}
	}
	return found
}

// sameContents reports whether two lists have objects with the same contents, in any order. Neither list has an object twice. Most
// objects are in both, so that their contents need not be compared.
func sameContents(a, b []*objects.Object) bool {
	return maps.Equal(contents(notIn(b, a)), contents(notIn(a, b)))
}

// notIn returns the objects of a list that are not in another.
func notIn(others, list []*objects.Object) []*objects.Object {
	there := make(map[*objects.Object]bool, len(others))
	for _, o := range others {
		there[o] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(o *objects.Object) bool { return there[o] })
}

func contents(objects []*objects.Object) map[string]int {
	count := map[string]int{}
	for _, o := range objects {
		text, err := json.Marshal(o.JSON())
		if err != nil {
			text = nil // objects that are not valid JSON compare as equal
		}
		count[o.Ref()+"\n"+string(text)]++
	}
	return count
}

// draft is a unit of a kustomization before it is built, with the edit of an application or nil.
type draft struct {
	unit *objects.Unit
	edit *overlay.Edit
	// unrestricted is true if only Flux builds it: kustomizations can read files outside of their folders.
	unrestricted bool
}

// key differs for drafts that build to different units.
func (d draft) key() string {
	key := d.unit.Root
	if d.edit != nil {
		key = strings.Join([]string{d.unit.Root, d.edit.Position.String(), string(d.edit.Data)}, "\n")
	}
	if d.unrestricted {
		key += "\nunrestricted"
	}
	return key
}

// postpone defers the builds of kustomizations that no application applies or changes.
func (m *unitBuilder) postpone(drafts []draft) {
	var units []*objects.Unit
	keys := map[*objects.Unit]string{}
	for _, d := range drafts {
		if _, built := m.built[d.key()]; !built && d.edit == nil && !slices.ContainsFunc(d.unit.Objects, isGitOpsObject) {
			units, keys[d.unit] = append(units, d.unit), d.key()
		}
	}
	options := m.Overlay
	options.Unrestricted = unrestricted(drafts)
	for unit, deferred := range overlay.Defer(m.ctx, units, options) {
		m.built[keys[unit]] = deferred
	}
}

// unrestricted returns a function that reports the units of drafts that only Flux builds.
func unrestricted(drafts []draft) func(*objects.Unit) bool {
	units := map[*objects.Unit]bool{}
	for _, d := range drafts {
		if d.unrestricted {
			units[d.unit] = true
		}
	}
	return func(u *objects.Unit) bool { return units[u] }
}

// build returns the units of drafts. It builds each key once.
func (m *unitBuilder) build(drafts []draft) []*objects.Unit {
	options := m.Overlay
	options.Edits, options.Unrestricted = map[*objects.Unit]*overlay.Edit{}, unrestricted(drafts)
	var missing []*objects.Unit
	var keys []string
	for _, d := range drafts {
		key := d.key()
		if _, there := m.built[key]; there || m.settling && !slices.ContainsFunc(d.unit.Objects, appliesFolders) {
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
				return nil // without this, the unit without the edit would be returned
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
		units[i] = m.builtUnit(d)
	}
	return units
}

// builtUnit returns the unit of a draft as it was built, and the unit of its files if it was not.
func (m *unitBuilder) builtUnit(d draft) *objects.Unit {
	if made := m.built[d.key()]; made != nil {
		return made
	}
	return d.unit
}

// appliesFolders reports whether an object can decide which folders are applied, and how: those of Argo CD and Flux, apart from
// releases of charts and their sources.
func appliesFolders(o *objects.Object) bool {
	return isGitOpsObject(o) && o.Kind != "HelmRelease" && o.Kind != "HelmRepository" && o.Kind != "OCIRepository" && o.Kind != "HelmChart"
}
