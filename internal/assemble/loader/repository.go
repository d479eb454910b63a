package loader

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/cluster"
	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/testfiles"
	"github.com/salint/salint/internal/files/wordfilter"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/reuse"
)

// Options say what to read for a question.
type Options struct {
	// Kinds are the kinds of the objects in question, without their group, each with words: a document that contains none of
	// them is not parsed. A kind without words takes all documents. Nil is RBAC().
	Kinds map[string][]string
	// All asks for the objects of every kind, and builds whatever a kustomization changes. Kinds is not used then.
	All  bool
	Walk repo.WalkOptions
	// Asked returns the target that the user requests for a file; it can be nil.
	Asked func(file string) (target olm.Target, ok bool)
	// Overrides reports whether an override of the configuration decides on the target of a file; it can be nil.
	Overrides func(file string) bool
	// Limits limit the builds of overlays. AsWritten builds nothing: the question is about the contents of files.
	Limits render.Limits
	// Builds are the results of builds, which readings of several states share; nil keeps none.
	Builds    *reuse.Cache
	AsWritten bool
	// Clusters are the names of clusters by the paths of their roots.
	Clusters cluster.Names
	// Tests are patterns of data of tests, in addition to the documented table.
	Tests []testfiles.Pattern
	// Charts are the user's settings for rendering charts.
	Charts charts.Settings
	// Embedded are the kinds with manifests inside that the configuration adds.
	Embedded []objects.EmbeddedKind
}

// Repository is what was read of a tree to answer a question.
type Repository struct {
	// Units are the deployment units; the plain unit is the last. Objects are the objects of files, in the order of the files.
	Units   []*objects.Unit
	Objects []*objects.Object
	// Applications are the applications of Argo CD and Flux that apply the units.
	Applications *applications.Set
	// NotRead are the files and documents that could hold objects in question and were not read. See Problems.
	NotRead []Problem
	Targets *Targets
	// Gaps are files of the tree that were not read, and have no place: those that the configuration excludes.
	Gaps []string

	// Tests are the files with a binding that count for no question: data of tests, which no deployment applies.
	Tests []string
	// OfTests returns those of some files that are data of tests, whatever they hold.
	OfTests func(files map[string]bool) []string

	// Collection and Parsed are what was read of the tree.
	Collection *Collection
	Parsed     Parsed
	// granting are the files with a binding.
	granting map[string]bool
	clusters func() *cluster.Clusters
	possible possibilities
}

// Scopes returns the units in which names resolve: the clusters, and the units of which the cluster is not known, see cluster.Clusters.
func (w *Repository) Scopes() []*objects.Unit {
	if w.clusters == nil {
		return w.Units
	}
	return w.clusters().Scopes()
}

// Clusters returns the clusters that the repository shows.
func (w *Repository) Clusters() *cluster.Clusters {
	if w.clusters == nil {
		return cluster.New(w.Units, nil, nil)
	}
	return w.clusters()
}

// ScopesOf returns the scopes that have one of some units. The unit of plain files can be a part of that of the repository, as About returns it.
func (w *Repository) ScopesOf(units []*objects.Unit) []*objects.Unit {
	wanted, inPlain := map[*objects.Unit]bool{}, map[*objects.Object]bool{}
	for _, u := range units {
		if wanted[u] = true; u.Kind == objects.PlainUnit {
			for _, o := range u.Objects {
				inPlain[o] = true
			}
		}
	}
	isWanted := func(part *objects.Unit) bool {
		return wanted[part] || part.Kind == objects.PlainUnit && slices.ContainsFunc(part.Objects, func(o *objects.Object) bool { return inPlain[o] })
	}
	var scopes []*objects.Unit
	for _, scope := range w.Scopes() {
		if scope.Kind != objects.PlainUnit && slices.ContainsFunc(scope.Parts(), isWanted) {
			scopes = append(scopes, scope)
		}
	}
	for _, u := range units {
		if u.Kind == objects.PlainUnit {
			scopes = append(scopes, w.Clusters().Rest(u))
		}
	}
	return scopes
}

// RBAC returns the kinds that decide on permissions.
func RBAC() map[string][]string {
	return map[string][]string{"ClusterRole": nil, "ClusterRoleBinding": nil, "Role": nil, "RoleBinding": nil, rbac.KindGroup: {"user.openshift.io"}}
}

// Installers returns the kinds that show which identity installs an extension: extensions, accounts, and the kinds from which
// the target of a unit is detected.
func Installers() map[string][]string {
	kinds := olm.SignalKinds()
	for _, kind := range []string{olm.ClusterExtensionKind, olm.ExtensionKind, "ServiceAccount"} {
		kinds[kind] = nil
	}
	return kinds
}

// Kinds joins sets of kinds with their words. A kind that has no words in one of the sets has none in the result.
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

// Read reads the objects in question from a tree and assembles their units. The error is that of the walk, or of ctx. A file
// that cannot be read is not an error: it is in NotRead.
func Read(ctx context.Context, tree Tree, o Options) (*Repository, error) {
	if o.Kinds == nil {
		o.Kinds = RBAC()
	}
	s := o.selector()
	all, err := Collector{Tree: tree, Walk: o.Walk, Keep: s.keep}.Collect(ctx)
	if err != nil {
		return nil, err
	}
	readings, err := s.readings(ctx, all.Files)
	if err != nil {
		return nil, err
	}
	matters := func(doc *manifest.Document) bool { return readings(doc).Parsed() }
	parsed, err := all.Parse(ctx, tree, matters, s.asked.Matches)
	if err != nil {
		return nil, err
	}
	assembly := all.Assembly(tree, parsed)
	assembly.Named = names(tree)
	assembled, err := o.assemble(ctx, assembly, s)
	if err != nil {
		return nil, err
	}
	units := objects.NotReplaced(assembled.Units)
	clusters := sync.OnceValue(func() *cluster.Clusters {
		return delivery.New(units, assembled.Applications.Result, assembled.Applications.Of).Clusters(o.Clusters)
	})
	return &Repository{
		Units: units, Applications: assembled.Applications, Objects: parsed.Objects, NotRead: notRead(all, parsed),
		Targets: NewTargets(o.Asked).In(clusters), Gaps: all.gaps(), Collection: all, Parsed: parsed, granting: s.granting,
		clusters: clusters, Tests: assembled.NotApplied(s.granting), OfTests: assembled.NotApplied,
	}, nil
}

// names returns a function that reports whether the paths of the command line name a file in a folder, and not all that is around the folder.
func names(tree Tree) func(folder, file string) bool {
	return func(folder, file string) bool {
		return tree.Selected(file) && !tree.Selected(path.Join(path.Dir(folder), "any"))
	}
}

// gaps returns which files were not read. Whether an excluded folder contains manifests is not known.
func (c *Collection) gaps() []string {
	if len(c.Hidden.Hiding) == 0 {
		return nil
	}
	return []string{"files that `exclude` in the configuration matches: " + strings.Join(slices.Sorted(maps.Keys(c.Hidden.Hiding)), ", ")}
}

// Empty reports whether the tree has no manifests, apart from the configuration of salint.
func (w *Repository) Empty() bool {
	isManifest := func(name string) bool { return !strings.HasPrefix(path.Base(name), ".salint") }
	return !slices.ContainsFunc(w.Collection.Names, isManifest)
}

// notRead returns all that could hold objects in question and was not read.
func notRead(all *Collection, parsed Parsed) []Problem {
	problems := slices.Concat(all.Problems, parsed.Problems, legacy(parsed.Objects))
	for _, u := range all.Unread {
		if u.Reading != NotText {
			problems = append(problems, u.Problem())
		}
	}
	SortProblems(problems)
	return problems
}

// assemble makes the units. The child processes that build have ended when it returns; tracing a field can start them again.
func (o Options) assemble(ctx context.Context, a Assembly, s *selector) (Assembled, error) {
	a.Embedded, a.Asked, a.Overrides, a.Tests = o.Embedded, o.Asked, o.Overrides, o.Tests
	a.Wanted, a.Mentions, a.Generated, a.Added = s.interest.Matches, s.interest.MatchesText, s.interest.MatchesGenerated, s.interest.MatchesAdded
	a.Also = func(u *objects.Unit) bool { return o.All || mayGrant(u, s.granting) || createsObjects(u) }
	// The text of a chart need not contain the names in its rendering, so all documents of these kinds count, whatever their words.
	kinds := wordless(Kinds(o.Kinds, gitops.Kinds()))
	a.Charts = ChartAssembly{Settings: o.Charts, Wanted: s.keepsDocument, Mentions: wordfilter.New(kinds).MatchesText, Incomplete: true}
	if o.All {
		a.Charts.Mentions = s.interest.MatchesText
	}
	if o.AsWritten {
		a.Files, a.Charts = nil, ChartAssembly{}
	}
	a.Workers = render.NewWorkers(o.Limits)
	a.Workers.Reuse(o.Builds)
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

// selector selects the documents that a question needs.
type selector struct {
	// asked are the kinds of the question; interest has the kinds of Argo CD and Flux in addition.
	asked, interest, bindings *wordfilter.Filter

	mu       sync.Mutex
	granting map[string]bool // the files with a binding
}

// selector returns the selector of the options.
func (o Options) selector() *selector {
	if o.All {
		every := wordfilter.All()
		return &selector{asked: every, interest: every, bindings: bindingFilter(nil), granting: map[string]bool{}}
	}
	return newSelector(o.Kinds, objects.EmbeddingKinds(o.Embedded...))
}

// newSelector takes the kinds of the question, and those that can hold such objects, see wordfilter.Filter.Inside.
func newSelector(kinds, holders map[string][]string) *selector {
	return &selector{
		asked: wordfilter.New(kinds).Inside(holders), interest: wordfilter.New(Kinds(kinds, gitops.Kinds())).Inside(holders),
		bindings: bindingFilter(holders), granting: map[string]bool{},
	}
}

func bindingFilter(holders map[string][]string) *wordfilter.Filter {
	return wordfilter.New(map[string][]string{bindingKinds[0]: nil, bindingKinds[1]: nil}).Inside(holders)
}

// keep reports whether a file has a document that may matter.
func (s *selector) keep(f *manifest.File) bool {
	if slices.ContainsFunc(f.Docs, s.bindings.Matches) {
		s.mu.Lock()
		s.granting[f.Path] = true
		s.mu.Unlock()
	}
	return objects.IsKustomizationFile(f.Path) || slices.ContainsFunc(f.Docs, s.keepsDocument)
}

func (s *selector) keepsDocument(doc *manifest.Document) bool {
	return s.interest.Matches(doc) || IsConfigMap(doc)
}

// readings returns the function that decides which documents of the files are parsed.
func (s *selector) readings(ctx context.Context, files map[string]*manifest.File) (func(*manifest.Document) Reading, error) {
	found, err := Settings(ctx, files, s.interest.Matches)
	if err != nil {
		return nil, err
	}
	settings := make(map[*manifest.Document]bool, len(found))
	for _, doc := range found {
		settings[doc] = true
	}
	return func(doc *manifest.Document) Reading {
		switch {
		case s.interest.Matches(doc):
			return Requested
		case settings[doc]:
			return AppliedSettings
		}
		return NotNeeded
	}, nil
}

// LegacyGroup is the API group of OpenShift for roles and bindings. Its API server converts them to objects of RBAC.
const LegacyGroup = "authorization.openshift.io"

// LegacyText is the message about a role or binding of OpenShift's group where it is not read.
func LegacyText(kind string) string {
	return "the " + kind + " was not taken into account: those of " + LegacyGroup + " are not understood, use " + rbac.Group
}

// legacy returns the problems of roles and bindings of OpenShift's group, which are not understood.
func legacy(objects []*objects.Object) []Problem {
	var problems []Problem
	for _, o := range objects {
		if _, isRBAC := RBAC()[o.Kind]; isRBAC && o.Group == LegacyGroup {
			problems = append(problems, Problem{Position: o.Position(nil),
				Message: LegacyText(o.Kind)})
		}
	}
	return problems
}

// Problems returns all that is unknown about a unit: what was not read, and which objects were not checked as they are applied.
func (w *Repository) Problems(unit *objects.Unit) []Problem {
	problems := slices.Concat(w.NotRead, OfUnit(unit))
	SortProblems(problems)
	return problems
}

// Source returns the content of a file that holds an object, or nil.
func (w *Repository) Source(file string) []byte {
	if f := w.Collection.Files[file]; f != nil {
		return f.Data
	}
	return nil
}
