package reading

import (
	"slices"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/assemble/cluster"
	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/duplicates"
	"github.com/salint/salint/internal/lint/tokentexts"
)

// Snapshot is one state of the files: what was read of them, and the deployment units that were built.
type Snapshot struct {
	Tree loader.Tree
	// Collection is what the walk has read, and Parsed what the documents that matter hold.
	Collection *loader.Collection
	Parsed     loader.Parsed
	// Kinds are the kinds that rules judge and that any document has; "" if a document does not show its kind.
	Kinds map[string]bool
	// Asked are the manifests that may hold an object of an API group of whose objects fixes ask.
	Asked map[string]bool
	// Findings are about files and texts that were not read.
	Findings []finding.Finding
	Units    []*objects.Unit
	// Unapplied are the units of files that no deployment applies, which are joined with nothing.
	Unapplied []*objects.Unit
	// Unlisted are the plain files that the kustomization in their folder does not list.
	Unlisted map[string]*objects.Unapplied
	// Written are the same units with the problems that are known without building the deferred ones.
	Written  []*objects.Unit
	Delivery *delivery.Delivery
	clusters func() *cluster.Clusters
	// clustersBy returns the clusters with other names in the settings.
	clustersBy func(names map[string][]string) *cluster.Clusters
	// Applications are the applications of Argo CD and Flux that apply the units.
	Applications *applications.Set
	// Dependencies are the files of dependencies, about which nothing is reported.
	Dependencies map[string]bool

	// TokenTexts are files that can hold a token of an account, or rely on a generated one.
	TokenTexts *tokentexts.Texts

	// Duplicates has the documents by their names.
	Duplicates *duplicates.Index

	assembly loader.Assembly // what the units are made of
	scripts  func() map[string][]olm.Signal
	texts    texts
	decider  *decider
}

// Decision returns the decision about a document of the files in Collection.
func (s *Snapshot) Decision(doc *manifest.Document) Decision { return s.decider.decisions.of(doc) }

// FindsNothing reports whether a rule finds nothing in a document, as its bytes show.
func (s *Snapshot) FindsNothing(rule string, doc *manifest.Document) bool {
	return s.decider.prefilter.findsNothing(rule, doc)
}

// MayConcern reports whether a text that is no document can make an object that rules judge.
func (s *Snapshot) MayConcern(text []byte) bool { return s.decider.mentions(text) }

// MayAdd reports whether a kustomization with a text, which generates objects of a kind, or adds to those of any kind (""), can make an
// object that rules judge of one that they do not.
func (s *Snapshot) MayAdd(kind string, text []byte) bool {
	if kind == "" {
		return s.decider.judgedKinds.MatchesAdded(text)
	}
	return s.decider.judgedKinds.MatchesGenerated(kind, text)
}

// Assembly returns what the units are made of, to assemble them again.
func (s *Snapshot) Assembly() loader.Assembly { return s.assembly }

// TakeBuilt replaces the deferred units that were built since by what was built.
func (s *Snapshot) TakeBuilt() {
	s.Units = slices.Clone(s.Units)
	for i, u := range s.Units {
		if !u.Pending() {
			s.Units[i] = u.Applied()
		}
	}
}

// Unread returns all files and documents that were not read.
func (s *Snapshot) Unread() []loader.Unread {
	return append(s.Collection.Unread[:len(s.Collection.Unread):len(s.Collection.Unread)], s.Parsed.Unread...)
}

// Selected reports whether the paths of the command line contain a file, and it is not left out as a dependency.
func (s *Snapshot) Selected(file string) bool { return s.Tree.Selected(file) && !s.Dependencies[file] }

// Scope returns the scope of the paths of the command line.
func (s *Snapshot) Scope() *Scope { return NewScope(s.Selected, s.ownNames()) }

// Uses returns the index of who uses what in the snapshot, which was read with the options of a walk.
func (s *Snapshot) Uses(walk repo.WalkOptions) *uses.Index {
	return uses.New(uses.Sources{
		Tree: s.Tree, Collection: s.Collection, Parsed: s.Parsed, Text: s.Text, Asked: s.Asked,
		Units: s.Units, Applications: s.Applications, Walk: walk,
	})
}

func (s *Snapshot) addProblems(problems []loader.Problem) {
	for _, p := range problems {
		s.Findings = append(s.Findings, p.Finding())
	}
}

// PartedBy returns two units that can be on one cluster if the settings name some clusters, and that are on different ones by those of the run.
func (s *Snapshot) PartedBy(earlier map[string][]string) (a, b *objects.Unit, parted bool) {
	if s.clustersBy == nil {
		return nil, nil, false
	}
	now, before := s.Clusters(), s.clustersBy(earlier)
	for i, a := range s.Units {
		for _, b := range s.Units[i+1:] {
			if now.Apart(a, b) && !before.Apart(a, b) {
				return a, b, true
			}
		}
	}
	return nil, nil, false
}

// Clusters returns the clusters that the repository shows. Deferred units stay as they are.
func (s *Snapshot) Clusters() *cluster.Clusters {
	if s.clusters == nil {
		return cluster.New(s.Units, nil, nil)
	}
	return s.clusters()
}
