package main

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"path"
	"strings"
)

// repository is what to generate.
type repository struct {
	Files, Size int
	Seed        uint64
	Flat        bool
}

// file is one generated file; its path is relative and slash-separated.
type file struct {
	Path      string
	Text      string
	Documents int
}

const (
	filesPerFolder = 20
	// An extension comes as four files: itself, its account, a role and a binding.
	filesPerExtension = 4
	onePercent        = 100
)

// all yields the files in order. Every block of 400 files starts with the four of one extension.
func (r repository) all() iter.Seq[file] {
	return func(yield func(file) bool) {
		// The second half of the seed only has to be fixed.
		w := &writer{random: rand.New(rand.NewPCG(r.Seed, 0))}
		for i := range r.Files {
			f := r.file(w, i)
			if r.Flat {
				f.Path = strings.ReplaceAll(f.Path, "/", "-")
			}
			if !yield(f) {
				return
			}
		}
	}
}

func (r repository) file(w *writer, i int) file {
	if part := i % (filesPerExtension * onePercent); part < filesPerExtension {
		return extensionFile(i-part, part)
	}
	return r.ordinaryFile(w, i)
}

// ordinaryFile holds one to three manifests; with the bindings that come with roles, about 1.6 documents on average.
func (r repository) ordinaryFile(w *writer, i int) file {
	manifests := []int{1, 1, 1, 1, 2, 3}[w.random.IntN(6)]
	var texts []string
	kind := ""
	for range manifests {
		name := fmt.Sprintf("%s-%d", w.pick(applications), i)
		k := w.kind()
		kind = k.name
		texts = append(texts, k.write(w, name, r.Size/manifests))
	}
	text := strings.Join(texts, "---\n")
	return file{
		Path:      path.Join(folder(i), fmt.Sprintf("%s-%05d.yaml", kind, i)),
		Text:      text,
		Documents: strings.Count(text, "---\n") + 1,
	}
}

func folder(i int) string {
	group := i / filesPerFolder
	return path.Join("clusters", environments[group%len(environments)], fmt.Sprintf("team-%03d", group))
}
