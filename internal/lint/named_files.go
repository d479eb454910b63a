package lint

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
)

// namedFiles returns the function for [engine.Lookups.AppliedByName]. Texts are read when the first fix asks, because only fixes
// that create or delete files do.
func (r *run) namedFiles(ctx context.Context) func(string) (engine.TextReference, bool) {
	index := sync.OnceValue(func() *textpaths.Index { return r.indexTexts(ctx) })
	links := sync.OnceValue(r.linksTo)
	return func(target string) (engine.TextReference, bool) {
		if from := links()[target]; len(from) > 0 {
			ref := engine.TextReference{Place: "the symbolic link " + from[0]}
			for _, link := range from {
				ref.LinkedIn = append(ref.LinkedIn, path.Dir(link))
			}
			return ref, true
		}
		place, ok := index().Find(target)
		if !ok && !r.Collection.Has(target) {
			return r.appliesFolder(target)
		}
		return engine.TextReference{
			Place: fmt.Sprintf("%s:%d", place.File, place.Line), Describes: place.Document, Pattern: place.Pattern,
			OneDocument: isTerraform(place.File),
		}, ok
	}
}

// appliesFolder returns the application that may apply a folder: its path, or a part of it, is filled in with what only the cluster knows.
func (r *run) appliesFolder(dir string) (engine.TextReference, bool) {
	for _, u := range r.Applications.Result.Unresolved {
		if !u.Literal() && u.Covers(dir) {
			at := u.Location.Position()
			return engine.TextReference{Place: fmt.Sprintf("%s:%d", at.File, at.Line), Pattern: true}, true
		}
	}
	return engine.TextReference{}, false
}

// linksTo returns the symbolic links, sorted, by the files and folders to which they lead.
func (r *run) linksTo() map[string][]string {
	to := map[string][]string{}
	for link, real := range r.Snapshot.Tree.Links() {
		to[real] = append(to[real], link)
	}
	for _, from := range to {
		slices.Sort(from)
	}
	return to
}

// indexTexts reads all texts that may apply files by name. One that cannot be read names nothing: it is no manifest, so it is
// not expected to be readable.
func (r *run) indexTexts(ctx context.Context) *textpaths.Index {
	m := r.judging.mentions
	files := slices.Concat(m.others(ctx), r.Collection.Names, m.excluded(ctx))
	index := &textpaths.Index{Exists: pathsOf(files)}
	for _, file := range files {
		fetches := objects.IsKustomizationFile(file)
		if !fetches && !textpaths.IsText(file) {
			continue
		}
		data, err := r.Snapshot.Tree.Text(file)
		if err != nil {
			continue
		}
		if fetches {
			data = linesWithAddresses(data)
		}
		index.Add(file, data)
	}
	return index
}

// linesWithAddresses returns the lines of a kustomization that have an address, and the others empty: a file that it fetches can be one of this
// repository.
func linesWithAddresses(data []byte) []byte {
	if !bytes.Contains(data, []byte("://")) {
		return nil
	}
	var kept bytes.Buffer
	for line := range bytes.Lines(data) {
		if bytes.Contains(line, []byte("://")) {
			kept.Write(bytes.TrimRight(line, "\r\n"))
		}
		kept.WriteByte('\n')
	}
	return kept.Bytes()
}

// pathsOf returns a function that reports whether a path is one of some files or a folder that contains one.
func pathsOf(files []string) func(string) bool {
	paths := pathset.Of(files)
	return func(target string) bool { return target != "." && paths.Has(target) }
}

func isTerraform(file string) bool {
	return strings.HasSuffix(file, ".tf") || strings.HasSuffix(file, ".tofu")
}

// filesIn returns the manifests of a folder, without those of the folders in it.
func (r *run) filesIn() func(dir string) []string {
	byFolder := sync.OnceValue(func() map[string][]string {
		folders := map[string][]string{}
		for _, name := range r.Collection.Names {
			folders[path.Dir(name)] = append(folders[path.Dir(name)], name)
		}
		return folders
	})
	return func(dir string) []string { return byFolder()[dir] }
}
