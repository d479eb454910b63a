package reading

import (
	"slices"
	"strings"

	"github.com/salint/salint/fixers/identity"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/files/manifest"
)

// askedGroups are the API groups of whose objects fixes ask. Few repositories have one, and no search is needed to know that of the others.
var askedGroups = identity.AskedGroups()

// mayHoldAsked reports whether a document may hold an object of an API group of whose objects fixes ask.
func (d *decider) mayHoldAsked(doc *manifest.Document) bool {
	kind := doc.Kind()
	_, holds := d.holders[kind]
	if version := doc.APIVersion(); kind != "" && version != "" && !holds && !manifest.IsContainer(kind) {
		group, _, _ := strings.Cut(version, "/")
		return slices.Contains(askedGroups, group)
	}
	return uses.MayBeInObject(doc.File.Path, doc.Bytes(), askedGroups)
}

func (d *decider) addAsked(file string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked[file] = true
}
