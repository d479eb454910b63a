package bundle

import (
	"strconv"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/rendered"
)

// lines are the lines of the parts of a ClusterServiceVersion from which objects are generated: the place to look at if an
// object requests too much. They are empty if they are unknown.
type lines struct {
	permissions, clusterPermissions, deployments, webhooks []int
}

// lines reads the ClusterServiceVersion again for its line numbers.
func (r *reader) lines(csv rendered.Origin) lines {
	data, err := readLimited(r.fsys, csv.File)
	if err != nil {
		return lines{}
	}
	doc := documentAt(manifest.Scan(csv.File, data), csv.Line)
	if doc == nil || doc.Parse() != nil {
		return lines{}
	}
	strategy := manifest.Path{"spec", "install", "spec"}
	return lines{
		permissions:        itemLines(doc, strategy.Join("permissions")),
		clusterPermissions: itemLines(doc, strategy.Join("clusterPermissions")),
		deployments:        itemLines(doc, strategy.Join("deployments")),
		webhooks:           itemLines(doc, manifest.Path{"spec", "webhookdefinitions"}),
	}
}

// documentAt is the last document that begins no later than the line.
func documentAt(f *manifest.File, line int) *manifest.Document {
	var found *manifest.Document
	for _, d := range f.Docs {
		if start, _ := f.Position(d.Span.Start); start > line {
			break
		}
		found = d
	}
	return found
}

func itemLines(doc *manifest.Document, list manifest.Path) []int {
	node := doc.Root.Lookup(list)
	if node == nil {
		return nil
	}
	out := make([]int, len(node.Items()))
	for i := range out {
		out[i], _ = doc.File.Position(doc.Locate(list.Join(strconv.Itoa(i))).Start)
	}
	return out
}

// origin returns the position of an item, or of the whole ClusterServiceVersion if the item's line is unknown.
func (b *Bundle) origin(lines []int, i int) rendered.Origin {
	at := b.Origin
	if i < len(lines) {
		at.Line = lines[i]
	}
	return at
}
