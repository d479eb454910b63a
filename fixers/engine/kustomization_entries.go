package engine

import (
	"path"
	"strings"

	"github.com/salint/salint/internal/files/commit"
)

// ListInKustomizations adds a new file to each kustomization that lists its neighbor, in the form of the neighbor's entry.
func (c *Context) ListInKustomizations(p *Plan, neighbour, file string) error {
	for _, l := range c.Repo.Listings(neighbour) {
		if _, already := l.Kustomization.Lists(file); already {
			continue
		}
		if l.Entry.Field == "components" {
			return Refuse("%s lists %s as a component, but kustomize accepts only folders there: correct that first",
				l.Kustomization.Path, neighbour)
		}
		folder := l.Entry.Value[:strings.LastIndexByte(l.Entry.Value, '/')+1]
		p.Changes = append(p.Changes, Change{
			File: l.Kustomization.Path, Document: l.Kustomization.Doc.Index, Op: AppendItem,
			Path: l.Entry.Path[:1].Join(), Value: folder + path.Base(file), Order: commit.OrderKustomization,
		})
	}
	return nil
}

// CountEntries returns the number of entries of kustomizations that name a file.
func (c *Context) CountEntries(file string) int { return len(c.entriesFor(file)) }
