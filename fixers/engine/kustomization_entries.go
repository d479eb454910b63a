package engine

import (
	"path"
	"strings"

	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/kube/objects"
)

// listing is the entry of a kustomization for a file.
type listing struct {
	kustomization *objects.Kustomization
	entry         objects.Entry
}

// listings returns the entries of all kustomizations for a file.
func (r *Repository) listings(file string) []listing {
	r.indexed.Do(r.index)
	return r.listed[file]
}

// ListInKustomizations adds a new file to each kustomization that lists its neighbor, in the form of the neighbor's entry.
func (r *Repository) ListInKustomizations(p *Plan, neighbour, file string) error {
	for _, l := range r.listings(neighbour) {
		if _, already := l.kustomization.Lists(file); already {
			continue
		}
		if l.entry.Field == "components" {
			return Refuse("%s lists %s as a component, but kustomize accepts only folders there: correct that first",
				l.kustomization.Path, neighbour)
		}
		folder := l.entry.Value[:strings.LastIndexByte(l.entry.Value, '/')+1]
		p.Changes = append(p.Changes, Change{
			File: l.kustomization.Path, Document: l.kustomization.Doc.Index, Op: AppendItem,
			Path: l.entry.Path[:1].Join(), Value: folder + path.Base(file), Order: commit.OrderKustomization,
		})
	}
	return nil
}

// CountEntries returns the number of entries of kustomizations that name a file.
func (r *Repository) CountEntries(file string) int { return len(r.entriesFor(file)) }
