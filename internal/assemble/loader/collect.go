package loader

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/installers"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/textpaths"
)

// Collector reads the bytes of a tree and keeps the files in which something may matter. `lint` and the commands that ask
// questions read a repository with it; they differ in what they keep.
type Collector struct {
	Tree Tree
	Walk repo.WalkOptions
	// Keep reports whether to keep a file. Several goroutines call it.
	Keep func(*manifest.File) bool
	// Seen is called with each file before Keep, also with those that are not text, and with those that Walk.Texts selects. Several goroutines call it; it can be nil.
	Seen func(repo.File)
	// Listed also reads the files that kustomizations list under names that manifests do not have.
	Listed bool
}

// Collection is what a Collector has read.
type Collection struct {
	// Names are the names of all files, sorted.
	Names []string
	// Files are the files that were kept, by name.
	Files map[string]*manifest.File
	// Documents is the number of documents in all files.
	Documents int
	// Unread are the files that were not read: first those that are not text, then those that the walk left out.
	Unread []Unread
	// Problems are what is reported about files that are not text.
	Problems []Problem
	// Hidden is what ignore rules hide.
	Hidden repo.Hidden

	mu      sync.Mutex
	alone   *alone
	scripts *scripts
	// excluded reports whether the settings exclude a path or a folder above it.
	excluded func(string) bool
	// Sets are the files with a ResourceSet of Flux, whose templates can name folders.
	sets []string
	// tools are the files that may install charts with separate settings, sorted.
	tools []string
}

// Collect walks the tree. The error is that of the walk; a file that cannot be read is not an error.
func (c Collector) Collect(ctx context.Context) (*Collection, error) {
	all := &Collection{Files: map[string]*manifest.File{}}
	walk, requested := c.Walk, c.Walk.Texts
	walk.Hidden = &all.Hidden
	walk.Texts = func(name string) bool { return textpaths.IsScript(name) || requested != nil && requested(name) }
	skipped, err := c.Tree.Walk(ctx, walk, func(file repo.File) { c.add(all, file) })
	if err != nil {
		return nil, err
	}
	if all.excluded, err = excludedBy(c.Walk.Exclude); err != nil {
		return nil, err
	}
	if c.Listed {
		if err := c.addListed(ctx, all); err != nil {
			return nil, err
		}
	}
	slices.Sort(all.Names)
	slices.Sort(all.tools)
	all.alone = &alone{collector: c, names: all.Names, sets: all.sets}
	all.scripts = &scripts{collector: c, names: all.Names}
	for _, skip := range skipped {
		all.Unread = append(all.Unread, skippedFile(skip))
	}
	return all, nil
}

func (c Collector) add(all *Collection, file repo.File) {
	if c.Seen != nil {
		c.Seen(file)
	}
	if installers.MayInstall(file) {
		all.mu.Lock()
		all.tools = append(all.tools, file.Path)
		all.mu.Unlock()
	}
	if file.Text {
		if problem, unread := unreadFlags(file, nil); unread {
			all.mu.Lock()
			defer all.mu.Unlock()
			all.Problems = append(all.Problems, problem)
		}
		return
	}
	problem, notText := noManifest(file)
	var f *manifest.File
	keep, unread := false, false
	if !notText {
		f = manifest.Scan(file.Path, file.Data)
		keep = c.Keep(f)
		problem, unread = unreadFlags(file, f.Docs)
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	all.Names = append(all.Names, file.Path)
	if notText {
		all.Problems = append(all.Problems, problem)
		all.Unread = append(all.Unread, binaryFile(file))
		return
	}
	if unread {
		all.Problems = append(all.Problems, problem)
	}
	all.Documents += len(f.Docs)
	if bytes.Contains(file.Data, []byte("ResourceSet")) {
		all.sets = append(all.sets, file.Path)
	}
	if keep {
		all.Files[file.Path] = f
	}
}

// Has reports whether a file was visited.
func (c *Collection) Has(name string) bool {
	_, found := slices.BinarySearch(c.Names, name)
	return found
}

// Parse parses the documents for which matters returns true. If nothing can be built from the tree, charts whose templates
// hold a document for which missed returns true are reported.
func (c *Collection) Parse(ctx context.Context, tree Tree, matters, missed func(*manifest.Document) bool) (Parsed, error) {
	s := Selection{Names: c.Names, Files: c.Files, Matters: matters}
	if tree.Files() == nil {
		s.Missed = missed
	}
	parsed, err := s.Parse(ctx)
	Resolve(parsed.Kustomizations, tree.Members(), tree.Links(), c.Has)
	return parsed, err
}

// Assembly returns what the deployment units of the tree are made of. The caller adds which objects it needs.
func (c *Collection) Assembly(tree Tree, parsed Parsed) Assembly {
	return Assembly{
		Objects: parsed.Objects, Kustomizations: parsed.Kustomizations, Names: c.Names, Files: newWalkedFiles(tree.Files(), c.Names, tree.Links()), Remotes: tree.Remotes(), Branches: tree.Branches(), Members: tree.Members(), Links: tree.Links(),
		alone: c.alone, tools: c.tools, Absent: c.absent(tree),
		Ignored: func(file string) bool {
			_, ignored := tree.Ignored(file)
			return ignored || tree.LacksFile(file) || c.scripts.makes(file)
		},
	}
}
