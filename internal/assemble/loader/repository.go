package loader

import (
	"context"
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/render"
)

// Tree is where manifests come from: a repository, or standard input.
type Tree interface {
	// Walk reads the manifests and calls visit with each, concurrently. What it could not read is in the list.
	Walk(ctx context.Context, o repo.WalkOptions, visit func(repo.File)) ([]repo.Skip, error)
}

// Options say what to read.
type Options struct {
	// Kinds are the kinds of objects wanted, without their group, and for each the words without one of which an object
	// is of no interest; none takes all. Nil is RBAC().
	Kinds map[string][]string
	Walk  repo.WalkOptions
	// Asked gives the target that the user named for a file; it may be nil.
	Asked func(file string) (target olm.Target, ok bool)
	// Limits bound the builds of overlays. AsWritten leaves them out: what files hold is all that is asked about.
	Limits    render.Limits
	AsWritten bool
	// Charts are the user's settings for rendering charts.
	Charts charts.Settings
}

// Repository is what was read of a tree.
type Repository struct {
	// Units are what is applied together, the plain unit last; Objects those that files hold, in the order of files.
	Units   []*objects.Unit
	Objects []*objects.Object
	// Applications are what the repository says of who applies the units.
	Applications *applications.Set
	// NotRead are the files and documents that could have held objects of interest. See Problems.
	NotRead []Problem
	Targets *Targets

	files map[string]*manifest.File
	// names are all files of the tree, and granting those with a binding.
	names    []string
	granting map[string]bool
}

// RBAC are the kinds that decide who may do what.
func RBAC() map[string][]string {
	return map[string][]string{"ClusterRole": nil, "ClusterRoleBinding": nil, "Role": nil, "RoleBinding": nil}
}

// Installers are the kinds to know who installs extensions: extensions, accounts, and what tells the target of a unit.
func Installers() map[string][]string {
	kinds := olm.SignKinds()
	for _, kind := range []string{olm.ClusterExtensionKind, olm.ExtensionKind, "ServiceAccount"} {
		kinds[kind] = nil
	}
	return kinds
}

// Kinds joins kinds with their words. A kind that one of the sets wants without words is wanted without.
func Kinds(sets ...map[string][]string) map[string][]string {
	all := map[string][]string{}
	for _, set := range sets {
		for kind, words := range set {
			known, there := all[kind]
			switch {
			case !there:
				all[kind] = words
			case len(known) == 0 || len(words) == 0:
				all[kind] = nil
			default:
				all[kind] = slices.Concat(known, words)
			}
		}
	}
	return all
}

// Read walks a tree and parses what is wanted. The error is that of the walk, or of ctx; a file that cannot be read is
// none.
func Read(ctx context.Context, tree Tree, o Options) (*Repository, error) {
	if o.Kinds == nil {
		o.Kinds = RBAC()
	}
	g := &gatherer{
		asked: manifest.NewInterest(o.Kinds), interest: manifest.NewInterest(Kinds(o.Kinds, gitops.Kinds())), files: map[string]*manifest.File{},
		grants: manifest.NewInterest(map[string][]string{bindingKinds[0]: nil, bindingKinds[1]: nil}), granting: map[string]bool{},
	}
	skipped, err := tree.Walk(ctx, o.Walk, g.visit)
	if err != nil {
		return nil, err
	}
	slices.Sort(g.names)
	selection := Selection{Names: g.names, Files: g.files, Matters: g.matters()}
	if FilesOf(tree) == nil {
		selection.Missed = g.asked.Wants
	}
	parsed, err := selection.Parse(ctx)
	if err != nil {
		return nil, err
	}
	all, err := o.assemble(ctx, tree, g, parsed)
	if err != nil {
		return nil, err
	}
	w := &Repository{
		Units: all.Units, Applications: all.Applications, Objects: parsed.Objects, NotRead: slices.Concat(g.problems, parsed.Problems),
		Targets: NewTargets(o.Asked), files: g.files, names: g.names, granting: g.granting,
	}
	for _, skip := range skipped {
		w.NotRead = append(w.NotRead, Skipped(skip))
	}
	w.NotRead = slices.Concat(w.NotRead, legacy(parsed.Objects))
	SortProblems(w.NotRead)
	return w, nil
}

// assemble makes the units. The processes that build are gone when it returns; tracing a field may start them again.
func (o Options) assemble(ctx context.Context, tree Tree, g *gatherer, parsed Parsed) (Assembled, error) {
	a := Assembly{
		Objects: parsed.Objects, Kustomizations: parsed.Kustomizations, Names: g.names,
		Wanted: g.interest.Wants, Mentions: g.interest.Mentions, Remotes: RemotesOf(tree),
		Also: func(u *objects.Unit) bool { return mayGrant(u, g.granting) || bringsObjects(u) },
	}
	if !o.AsWritten {
		a.Files = FilesOf(tree)
		// What a chart is rendered to may have names that do not stand in it: all kinds count, whatever the words.
		kinds := wordless(Kinds(o.Kinds, gitops.Kinds()))
		a.Charts = ChartAssembly{Settings: o.Charts, Wanted: g.keeps, Mentions: manifest.NewInterest(kinds).Mentions}
	}
	a.Workers = render.NewWorkers(o.Limits)
	defer a.Workers.Close()
	return AssembleAll(ctx, a)
}

func wordless(kinds map[string][]string) map[string][]string {
	all := map[string][]string{}
	for kind := range kinds {
		all[kind] = nil
	}
	return all
}

// gatherer keeps the files of a walk in which something is wanted.
type gatherer struct {
	// asked are the kinds of the question, interest those of Argo CD and Flux besides.
	asked, interest, grants *manifest.Interest

	mu       sync.Mutex
	names    []string
	files    map[string]*manifest.File
	granting map[string]bool
	problems []Problem
}

// keeps tells whether a document may matter.
func (g *gatherer) keeps(doc *manifest.Document) bool {
	return g.interest.Wants(doc) || IsConfigMap(doc)
}

// matters picks the documents to parse: what is wanted, and the settings of applications.
func (g *gatherer) matters() func(*manifest.Document) bool {
	settings := map[*manifest.Document]bool{}
	for _, doc := range Settings(g.files, g.interest.Wants) {
		settings[doc] = true
	}
	return func(doc *manifest.Document) bool { return g.interest.Wants(doc) || settings[doc] }
}

// visit looks at the bytes of one file. It is called by several goroutines.
func (g *gatherer) visit(file repo.File) {
	problem, noText := NoText(file)
	var f *manifest.File
	if !noText {
		f = manifest.Scan(file.Path, file.Data)
	}
	keep := !noText && (objects.IsKustomizationFile(file.Path) || slices.ContainsFunc(f.Docs, g.keeps))
	granting := !noText && slices.ContainsFunc(f.Docs, g.grants.Wants)
	g.mu.Lock()
	defer g.mu.Unlock()
	if granting {
		g.granting[file.Path] = true
	}
	g.names = append(g.names, file.Path)
	if noText {
		g.problems = append(g.problems, problem)
	}
	if keep {
		g.files[file.Path] = f
	}
}

// LegacyGroup is OpenShift's own group for roles and bindings, which its API server turns into those of RBAC.
const LegacyGroup = "authorization.openshift.io"

// legacy reports roles and bindings of OpenShift's group, which are RBAC and are not understood.
func legacy(objects []*objects.Object) []Problem {
	var problems []Problem
	for _, o := range objects {
		if _, isRBAC := RBAC()[o.Kind]; isRBAC && o.Group == LegacyGroup {
			problems = append(problems, Problem{Position: o.Position(nil),
				Message: "the " + o.Kind + " was not taken into account: those of " + LegacyGroup + " are not understood, use " + rbac.Group})
		}
	}
	return problems
}

// Problems is all that is not known about a unit: what was not read, and what is not applied as it stands in its file.
func (w *Repository) Problems(unit *objects.Unit) []Problem {
	problems := slices.Concat(w.NotRead, OfUnit(unit))
	SortProblems(problems)
	return problems
}

// Source gives the text of a file with an object, or nil.
func (w *Repository) Source(file string) []byte {
	if f := w.files[file]; f != nil {
		return f.Data
	}
	return nil
}
