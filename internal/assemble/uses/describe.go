package uses

import (
	"slices"
	"sort"
	"strconv"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// describe returns a place for each hit in a text; nil for hits in comments.
func describe(file string, data []byte, hits []hit, known *manifest.File) []*Place {
	places := make([]*Place, len(hits))
	if !objects.IsManifestName(file) {
		text := &manifest.File{Path: file, Data: data}
		for i, h := range hits {
			places[i] = placeAt(text, h.offset)
			places[i].Accounts = accountsBefore(data[:h.offset])
			places[i].Unrelated = !h.last && isUnrelatedText(file, data, h.offset)
		}
		return places
	}
	scanned := manifest.Scan(file, data)
	scanned.TakeOver(known)
	for _, doc := range scanned.Docs {
		from := sort.Search(len(hits), func(i int) bool { return hits[i].offset >= doc.Span.Start })
		to := sort.Search(len(hits), func(i int) bool { return hits[i].offset >= doc.Span.End })
		if from < to {
			describeIn(doc, hits[from:to], places[from:to])
		}
	}
	for i, h := range hits {
		if h.last {
			places[i] = placeAt(scanned, h.offset) // even in a comment, because it represents further hits
		} else if places[i] == nil {
			places[i] = commentAt(scanned, h.offset)
		}
	}
	return places
}

func placeAt(file *manifest.File, offset int) *Place {
	line, _ := file.Position(offset)
	return &Place{File: file.Path, Line: line}
}

// commentAt returns the place of a name in a comment if the comment is about a service account; nil otherwise. Comments of the manifests that
// belong to an account explain that account, so they do not count.
func commentAt(file *manifest.File, offset int) *Place {
	if _, line := lineAt(file.Data, offset); !aboutAccount().Match(line) {
		return nil
	}
	place := placeAt(file, offset)
	place.Comment, place.Use, place.Accounts = true, UnknownUse, accountsBefore(file.Data[:offset])
	for _, doc := range file.Docs {
		if doc.Span.Start <= offset && offset < doc.Span.End {
			place.Kind = doc.Kind()
		}
	}
	if slices.Contains(unreferenced, place.Kind) || objects.IsKustomizationFile(file.Path) {
		return nil
	}
	return place
}

// describeIn sets the places of the hits in a document. In a document whose exact bytes are unknown, such as a template,
// comments are not certain, so all hits count.
func describeIn(doc *manifest.Document, hits []hit, places []*Place) {
	if doc.Parse() != nil || !doc.Exact {
		lines := newLayout(doc.Bytes())
		for i, h := range hits {
			places[i] = placeAt(doc.File, h.offset)
			places[i].Kind = doc.Kind()
			places[i].Use = useInText(doc.File.Data[doc.Span.Start:max(h.offset, doc.Span.Start)])
			if !h.last {
				lines.describe(places[i], h.offset-doc.Span.Start)
				places[i].Unrelated = isUnrelatedText(doc.File.Path, doc.File.Data, h.offset) || isUnrelatedLine(doc.File.Data, h.offset)
			}
		}
		return
	}
	d := describer{doc: doc, hits: hits, places: places, objects: map[*manifest.Node]*objects.Object{}}
	for _, object := range objects.AllObjects(doc) {
		d.objects[doc.Root.Lookup(object.Path)] = object // not object.Node, which can be a copy with fields from outside
	}
	d.walk(doc.Root, nil, nil)
}

// describer walks through a document once for all its hits.
type describer struct {
	doc     *manifest.Document
	hits    []hit
	places  []*Place
	objects map[*manifest.Node]*objects.Object
}

// walk looks for hits in the scalars below a node. Path leads to the node from the object that contains it, otherwise from
// the top of the document.
func (d *describer) walk(n *manifest.Node, around *objects.Object, path manifest.Path) {
	if object := d.objects[n]; object != nil {
		around, path = object, nil
	}
	for _, field := range n.Fields() {
		inside := append(path, field.Key.String())
		d.mark(field.Key, around, inside)
		d.walk(field.Value, around, inside)
	}
	for i, item := range n.Items() {
		d.walk(item, around, append(path, strconv.Itoa(i)))
	}
	if n.IsScalar() {
		d.mark(n, around, path)
	}
}

// mark describes the hits within the bytes of a scalar.
func (d *describer) mark(n *manifest.Node, around *objects.Object, path manifest.Path) {
	first := sort.Search(len(d.hits), func(i int) bool { return d.hits[i].offset >= n.Span().Start })
	for i := first; i < len(d.hits) && d.hits[i].offset < n.Span().End; i++ {
		place := placeAt(d.doc.File, d.hits[i].offset)
		place.Kind = d.doc.Kind()
		root := d.doc.Root
		if around != nil {
			place.Kind, place.Ref, place.Path = around.Kind, around.Ref(), path.Join()
			root = around.Node
		}
		place.Use = useAt(around, path, d.doc.File.Data[n.Span().Start:d.hits[i].offset])
		place.Selects = selectsPatched(d.doc, n, path, d.hits[i].word)
		place.Accounts = accountsBefore(d.doc.File.Data[n.Span().Start:d.hits[i].offset])
		place.Unrelated = isUnrelated(root, path)
		d.places[i] = place
	}
}

// placesInTemplate returns a place for each offset in a template of a chart, in the order of the offsets. Only the lines around
// it describe it: a template that happens to be YAML is not what is applied.
func placesInTemplate(file string, data []byte, offsets []int) []Place {
	scanned := manifest.Scan(file, data)
	found := make([]Place, 0, len(offsets))
	layouts := map[*manifest.Document]*layout{}
	for _, offset := range slices.Sorted(slices.Values(offsets)) {
		place := placeAt(scanned, offset)
		at := slices.IndexFunc(scanned.Docs, func(d *manifest.Document) bool { return d.Span.Start <= offset && offset < d.Span.End })
		if at >= 0 && objects.IsManifestName(file) {
			doc := scanned.Docs[at]
			if layouts[doc] == nil {
				layouts[doc] = newLayout(doc.Bytes())
			}
			place.Kind = doc.Kind()
			place.Use = useInText(scanned.Data[doc.Span.Start:offset])
			place.Unrelated = isUnrelatedText(file, data, offset) || isUnrelatedLine(data, offset)
			layouts[doc].describe(place, offset-doc.Span.Start)
		}
		found = append(found, *place)
	}
	return found
}
