package loader

import (
	"bytes"
	"context"
	"path"
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
)

// alone selects kustomizations that are deployment units although others list them, because something also applies or names them by
// themselves.
type alone struct {
	collector Collector
	names     []string
	sets      []string // files with a ResourceSet of Flux
	// texts are read when the first kustomization is asked about that another lists.
	once  sync.Once
	built *textpaths.Built
	// strict are the folders that commands build without lifting the restriction to files below each kustomization.
	strictOnce sync.Once
	strict     *textpaths.Built
	// loose are the folders that commands build in texts that lift it.
	looseOnce sync.Once
	loose     *textpaths.Built
	// direct are the files and folders that commands apply without kustomize.
	directOnce sync.Once
	direct     *textpaths.Built
}

// choose returns the chosen kustomizations of those that others list.
func (c *alone) choose(
	ctx context.Context, a *assembly.Builder, override func(string) (target string, ok bool),
) []*objects.Kustomization {
	roots, nested := a.RootsAndNested()
	if len(nested) == 0 {
		return nil
	}
	c.once.Do(func() { c.built = c.readTexts(ctx, a, appliesFolders) })
	fetched := c.fetched(a)
	isNamed := c.namedByPaths(a, roots)
	isOverridden := overridden(a, roots, override)
	return slices.DeleteFunc(nested, func(k *objects.Kustomization) bool {
		return !c.built.Has(k.Dir) && !fetched[k.Dir] && !isNamed(k) && !isOverridden(k)
	})
}

// isScripted reports whether a command builds a folder, in a text that does not lift the restriction to files below each kustomization.
func (c *alone) isScripted(ctx context.Context, a *assembly.Builder, dir string) bool {
	c.strictOnce.Do(func() {
		c.strict = c.readTexts(ctx, a, func(_ string, text []byte) bool { return !bytes.Contains(text, []byte("LoadRestrictionsNone")) })
	})
	return c.strict.Has(dir)
}

// isLifted reports whether a command builds a folder in a text that lifts the restriction, and none does in another text.
func (c *alone) isLifted(ctx context.Context, a *assembly.Builder, dir string) bool {
	c.looseOnce.Do(func() {
		c.loose = c.readTexts(ctx, a, func(_ string, text []byte) bool { return bytes.Contains(text, []byte("LoadRestrictionsNone")) })
	})
	return c.loose.Has(dir) && !c.isScripted(ctx, a, dir)
}

// appliesFile reports whether a command of a script, build file, or pipeline applies a file without kustomize.
func (c *alone) appliesFile(ctx context.Context, file string) bool {
	c.directOnce.Do(func() {
		c.direct = &textpaths.Built{IsFolder: pathset.Of(c.names).Has, Direct: true}
		c.addTexts(ctx, c.direct, appliesFolders)
	})
	for at := file; at != "." && at != "/"; at = path.Dir(at) {
		if c.direct.Has(at) {
			return true
		}
	}
	return false
}

// appliesFolders reports whether commands in a file make deployment units. Documentation describes commands, often with placeholders or
// only to look at the output, and runs none.
func appliesFolders(file string, _ []byte) bool { return !textpaths.IsDocument(file) }

// readTexts finds the folders that commands build, in the texts for which counts is true. One that cannot be read names nothing.
func (c *alone) readTexts(ctx context.Context, a *assembly.Builder, counts func(file string, text []byte) bool) *textpaths.Built {
	built := &textpaths.Built{IsFolder: func(dir string) bool { return a.Kustomization(dir) != nil }}
	c.addTexts(ctx, built, counts)
	return built
}

// addTexts adds the texts for which counts is true.
func (c *alone) addTexts(ctx context.Context, built *textpaths.Built, counts func(file string, text []byte) bool) {
	var mu sync.Mutex
	files := slices.Clone(c.names)
	options := c.collector.Walk
	options.Others, options.Exclude, options.Texts = true, nil, nil
	_, err := c.collector.Tree.Walk(ctx, options, func(f repo.File) {
		mu.Lock()
		defer mu.Unlock()
		files = append(files, f.Path)
	})
	if err != nil {
		return // the walk that read the manifests reports it
	}
	files = slices.DeleteFunc(files, func(file string) bool { return !textpaths.MayBuild(file) })
	for _, file := range append(files, c.sets...) {
		if data, err := c.collector.Tree.Text(file); err == nil && counts(file, data) {
			built.Add(file, data)
		}
	}
}

// fetched returns the folders that kustomizations fetch from this repository by its address. They get a copy that is not built here.
func (c *alone) fetched(a *assembly.Builder) map[string]bool {
	folders := map[string]bool{}
	remotes := c.collector.Tree.Remotes()
	roots, nested := a.RootsAndNested()
	for _, k := range append(roots, nested...) {
		for _, entry := range k.Resources {
			if !entry.Remote() {
				continue
			}
			if folder, ok := sources.FolderHere(entry.Value, remotes); ok {
				folders[folder] = true
			}
		}
	}
	return folders
}

// namedByPaths reports whether the paths of the command line name a kustomization that builds files elsewhere, and none that
// contains it.
func (c *alone) namedByPaths(a *assembly.Builder, roots []*objects.Kustomization) func(*objects.Kustomization) bool {
	selected := c.collector.Tree.Selected
	reached := a.Reached(slices.DeleteFunc(slices.Clone(roots), func(k *objects.Kustomization) bool { return !selected(k.Path) }))
	return func(k *objects.Kustomization) bool {
		return selected(k.Path) && !reached[k] && slices.ContainsFunc(k.Resources, func(entry objects.Entry) bool {
			child := a.Kustomization(entry.Target)
			return child != nil && !selected(child.Path)
		})
	}
}

// overridden reports whether an override sets the target of a kustomization, and of nothing that contains it.
func overridden(
	a *assembly.Builder, roots []*objects.Kustomization, override func(string) (target string, ok bool),
) func(*objects.Kustomization) bool {
	byTarget := map[string][]*objects.Kustomization{}
	for _, k := range roots {
		if target, ok := override(k.Path); ok {
			byTarget[target] = append(byTarget[target], k)
		}
	}
	reached := map[string]map[*objects.Kustomization]bool{}
	for target, with := range byTarget {
		reached[target] = a.Reached(with)
	}
	return func(k *objects.Kustomization) bool {
		target, ok := override(k.Path)
		return ok && !reached[target][k]
	}
}
