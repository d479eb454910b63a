package lint

import (
	"context"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// snapshot is one state of the files: what was read of them, and the deployment units that were built.
type snapshot struct {
	tree Tree
	*contents
	assembly loader.Assembly // what the units are made of
	units    []*objects.Unit
	// written are the same units with the problems that are known without building the deferred ones.
	written  []*objects.Unit
	delivery *delivery.Delivery
	// applications are the applications of Argo CD and Flux that apply the units.
	applications *applications.Set
	// dependencyFiles are the files of dependencies, about which nothing is reported.
	dependencyFiles map[string]bool
}

// contents are what was read of a tree.
type contents struct {
	*loader.Collection
	parsed loader.Parsed
	texts  texts
	// kinds are the kinds that rules judge and that any document has; "" if a document does not show its kind.
	kinds     map[string]bool
	prefilter *documentFilter
	// asked are the manifests that may hold an object of askedGroups.
	asked map[string]bool
	// readings are the documents that are parsed, with the reason.
	readings map[*manifest.Document]loader.Reading
	// findings are about files that were not read.
	findings []finding.Finding
}

// unread returns all files and documents that were not read.
func (c *contents) unread() []loader.Unread {
	return append(c.Collection.Unread[:len(c.Collection.Unread):len(c.Collection.Unread)], c.parsed.Unread...)
}

// takeSnapshot reads a tree and builds its units.
func (s *Session) takeSnapshot(ctx context.Context, tree Tree) (*snapshot, error) {
	s.stage(reading, 0)
	files := &snapshot{tree: tree}
	s.Bundles.Define = func(ctx context.Context, kinds []string) ([]map[string]any, error) {
		return s.definitions(ctx, tree, kinds)
	}
	r := s.newReader(tree)
	var err error
	end := s.stats.timed("reading")
	files.contents, err = r.read(ctx)
	if end(); err != nil {
		return nil, err
	}
	s.stage(building, 0)
	defer s.stats.timed("building")()
	return files, s.assemble(ctx, files, r)
}

// assemble makes the units in the form in which they are applied.
func (s *Session) assemble(ctx context.Context, files *snapshot, r *reader) error {
	a := files.Assembly(files.tree, files.parsed)
	a.Workers, a.Wanted, a.Mentions = s.workers, r.wants, r.judgedKinds.MatchesText
	a.Charts = loader.ChartAssembly{Settings: s.Charts, Wanted: r.wantsOfCharts, Mentions: r.mentions}
	a.Embedded, a.Asked, a.Overrides = loader.EmbeddedKinds(s.Config), s.requested.For, s.requested.Overrides
	a.Defer, a.Skips = s.defers(r), r.prefilter.skips
	files.assembly = a
	all, err := loader.AssembleAll(ctx, a)
	if err == nil {
		all, err = s.loadRenamedAccounts(ctx, files, r, all)
	}
	if err != nil {
		return err
	}
	files.units, files.written, files.applications = all.Units, all.Units, all.Applications
	if s.eager {
		files.units = objects.AllApplied(all.Units)
	}
	files.dependencyFiles = s.dependencies(files)
	files.contents.findings = append(files.contents.findings, r.texts.notes(files.Names, renderedValues(all.Units), loader.EmbeddedKinds(s.Config))...)
	files.delivery = delivery.NewLater(all.Units, func() delivery.Applications {
		whole := all.Applications.OfAllUnits()
		return delivery.Applications{Result: whole.Result, Of: whole.Of}
	})
	return nil
}

// maxTexts is how many bytes of files are kept. Further files are read again if they are needed.
const maxTexts = 16 << 20

// texts are the contents of files, up to a limit.
type texts struct {
	mu    sync.Mutex
	files map[string][]byte
	// others are the files that were read and not kept.
	others []string
	size   int
}

// add keeps the content of a file, unless that exceeds the limit.
func (t *texts) add(file repo.File) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.size += len(file.Data); t.size <= maxTexts {
		t.files[file.Path] = file.Data
	} else {
		t.others = append(t.others, file.Path)
	}
}

// shrink drops the contents if the limit is exceeded: a search has to read most files again anyway.
func (t *texts) shrink() {
	if t.size > maxTexts {
		t.others = slices.AppendSeq(t.others, maps.Keys(t.files))
		t.files = nil
	}
}

// textsOf returns the contents of those files for which wanted returns true, in no order. Files that cannot be read again are left out.
func (s *snapshot) textsOf(wanted func(file string) bool) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for file, data := range s.texts.files {
			if wanted(file) && !yield(file, data) {
				return
			}
		}
		for _, file := range s.texts.others {
			if !wanted(file) {
				continue
			}
			if data, err := s.readText(s.tree, file); err == nil && !yield(file, data) {
				return
			}
		}
	}
}

// readText reads a file again: a manifest, or another file that a search needs, which may be a large binary one.
func (c *contents) readText(tree Tree, file string) ([]byte, error) {
	if c.Has(file) {
		return tree.Read(file)
	}
	return tree.Text(file)
}

// text returns the content of a file as readText does, without reading it again if it is kept.
func (s *snapshot) text(file string) ([]byte, error) {
	if data, kept := s.texts.files[file]; kept {
		return data, nil
	}
	return s.readText(s.tree, file)
}

// newIndexOfUses returns the index of who uses what in the snapshot of a run.
func (r *run) newIndexOfUses() *uses.Index {
	return uses.New(uses.Sources{
		Tree: r.tree, Collection: r.Collection, Parsed: r.parsed, Text: r.text, Asked: r.asked,
		Units: r.units, Applications: r.applications, Walk: r.walkOptions(),
	})
}
