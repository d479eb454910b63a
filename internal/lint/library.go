package lint

import (
	"slices"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// library is what was read of a tree: every name, and the documents that matter.
type library struct {
	names   []string
	skipped []repo.Skip
	files   map[string]*manifest.File // those with a document of interest, and kustomizations
	texts   map[string][]byte         // of all files, as long as textBudget lasts
	kept    int                       // bytes in texts
	// kinds are those that rules judge, as far as any document has them; "" when one does not show its kind.
	kinds map[string]bool
	// quiet tells of a rule with conditions that it finds nothing in a document.
	quiet func(rule string, doc *manifest.Document) bool
	// documents counts all documents, parsed those that were parsed.
	documents, parsed int

	objects        []*objects.Object
	kustomizations []*objects.Kustomization
	findings       []finding.Finding // about files
	broken         []*manifest.Document
	noText         []repo.File // manifests by their names, of which nothing was read
}

// textBudget is how many bytes of files are kept for the search for mentions, which then need not be read again.
const textBudget = 64 << 20

// keepText keeps the text of a file, if it can be afforded.
func (l *library) keepText(file repo.File) {
	if l.kept += len(file.Data); l.kept <= textBudget {
		l.texts[file.Path] = file.Data
	}
}

// has tells whether a file was read as a manifest. The names are sorted.
func (l *library) has(name string) bool {
	_, found := slices.BinarySearch(l.names, name)
	return found
}
