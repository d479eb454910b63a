package uses

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
)

// FileReference is a place in a text that names a file or folder.
type FileReference struct {
	// Place is file:line, with a description of anything else.
	Place string
	// Describes is set if the place is documentation without a command.
	Describes bool
	// Pattern is set if the place has a variable or a glob in the path, so that it may name other files instead.
	Pattern bool
	// OneDocument is set if the text may accept only one document in the file, as Terraform's yamldecode does.
	OneDocument bool
	// LinkedIn are the folders of the symbolic links that lead to the file, in which it is applied as well. Place is the first
	// link then.
	LinkedIn []string
}

// Names says that the place names a file or folder, which is called what.
func (r FileReference) Names(what string) string {
	if r.Pattern {
		return what + " may be named by " + r.Place
	}
	return r.Place + " names " + what
}

// namedFiles are the files and folders that texts and symbolic links name.
type namedFiles struct {
	texts *textpaths.Index
	// links are the symbolic links, sorted, by the files and folders to which they lead.
	links map[string][]string
}

// NameOfFile returns a place that names a file or folder, such as a Makefile that applies it, or a symbolic link that leads to it.
// Texts are read for the first question, because only runs that fix something ask.
func (i *Index) NameOfFile(ctx context.Context, target string) (FileReference, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.named == nil {
		i.named = &namedFiles{links: linksTo(i.from.Tree.Links()), texts: i.indexTexts(ctx)}
	}
	if from := i.named.links[target]; len(from) > 0 {
		ref := FileReference{Place: "the symbolic link " + from[0]}
		for _, link := range from {
			ref.LinkedIn = append(ref.LinkedIn, path.Dir(link))
		}
		return ref, true
	}
	place, ok := i.named.texts.Find(target)
	if !ok && !i.from.Collection.Has(target) {
		return i.applierOf(target)
	}
	return FileReference{
		Place: fmt.Sprintf("%s:%d", place.File, place.Line), Describes: place.Document, Pattern: place.Pattern,
		OneDocument: strings.HasSuffix(place.File, ".tf") || strings.HasSuffix(place.File, ".tofu"),
	}, ok
}

// applierOf returns the application that may apply a folder: its path, or a part of it, is filled in with what only the cluster knows.
func (i *Index) applierOf(dir string) (FileReference, bool) {
	for _, u := range i.from.Applications.Result.Unresolved {
		if !u.Literal() && u.Covers(dir) {
			at := u.Location.Position()
			return FileReference{Place: fmt.Sprintf("%s:%d", at.File, at.Line), Pattern: true}, true
		}
	}
	return FileReference{}, false
}

// linksTo returns symbolic links, sorted, by the files and folders to which they lead.
func linksTo(links map[string]string) map[string][]string {
	to := map[string][]string{}
	for _, link := range slices.Sorted(maps.Keys(links)) {
		to[links[link]] = append(to[links[link]], link)
	}
	return to
}

// indexTexts reads all texts that may apply files by name. One that cannot be read names nothing: it is no manifest, so it is
// not expected to be readable.
func (i *Index) indexTexts(ctx context.Context) *textpaths.Index {
	others, _ := i.others(ctx)
	excluded, _ := i.excluded(ctx)
	files := slices.Concat(others, i.from.Collection.Names, excluded)
	paths := pathset.Of(files)
	index := &textpaths.Index{Exists: func(target string) bool { return target != "." && paths.Has(target) }}
	for _, file := range files {
		fetches := objects.IsKustomizationFile(file)
		if !fetches && !textpaths.IsText(file) {
			continue
		}
		data, err := i.from.Tree.Text(file)
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

// FilesIn returns the manifests of a folder, without those of the folders in it.
func (i *Index) FilesIn(dir string) []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.folders == nil {
		i.folders = map[string][]string{}
		for _, name := range i.from.Collection.Names {
			i.folders[path.Dir(name)] = append(i.folders[path.Dir(name)], name)
		}
	}
	return i.folders[dir]
}
