package overlay

import (
	"bytes"
	"path"
	"reflect"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// patch is one thing that sets fields of objects: a strategic merge patch, an operation of a JSON patch, or a field that a
// replacement sets.
type patch struct {
	stage
	what objects.TraceKind
	// field and index are the entry of the kustomization that references it.
	field string
	index int
	// doc and at are the path of the patch, the operation, or the target field of a replacement.
	doc *manifest.Document
	at  manifest.Path
	// target selects objects; nil is the object that the patch itself names.
	target *manifest.Node
	// options allow a strategic merge patch to change the name and the kind of an object, which kustomize restores otherwise.
	options *manifest.Node
	// shown is the position to show if doc is in no file.
	shown *objects.Trace
}

func (p patch) node() *manifest.Node { return p.doc.Root.Lookup(p.at) }

// entry is one item of a field of a kustomization.
type entry struct {
	stage
	field string
	index int
	node  *manifest.Node
}

func (e entry) path() manifest.Path { return manifest.Path{e.field, itoa(e.index)} }

// patchesOf returns the patches of a unit, in the order in which they are applied.
func patchesOf(u *objects.Unit, edit *Edit, files *snapshot) []patch {
	var all []patch
	for _, s := range stages(u, edit) {
		for _, field := range []string{"patchesStrategicMerge", "patches", "patchesJson6902", "replacements"} {
			list := s.Doc.Root.Get(field)
			for i := 0; list.IsSequence() && i < len(list.Items()); i++ {
				all = append(all, entry{s, field, i, list.Items()[i]}.patches(files)...)
			}
			if field == "patches" && edit.isFile(s.Path) {
				all = append(all, edit.patches(s, files)...)
			}
		}
	}
	return all
}

func (e entry) patches(files *snapshot) []patch {
	switch e.field {
	case "replacements":
		return e.replacements(files)
	case "patchesStrategicMerge":
		if e.node.Style()&yaml.LiteralStyle != 0 || bytes.ContainsRune([]byte(e.node.String()), '\n') {
			return e.inline(e.node, e.path(), nil)
		}
		return e.read(e.file(files, e.node.String()), nil)
	}
	target := e.node.Get("target")
	if name := e.node.Get("path").String(); name != "" {
		return e.read(e.file(files, name), target)
	}
	for _, key := range []string{"patch", "ops"} { // ops is a JSON patch of older kustomizations
		if text := e.node.Get(key); text != nil {
			return e.inline(text, e.path().Join(key), target)
		}
	}
	return nil
}

// inline parses a patch that is a string in the kustomization. A quoted string is shown as a whole.
func (e entry) inline(text *manifest.Node, at manifest.Path, target *manifest.Node) []patch {
	if docs := inline(e.Doc, text); docs != nil {
		return e.read(docs, target)
	}
	all := e.read(parsed(manifest.Scan(e.Doc.File.Path, []byte(text.String()))), target)
	for i := range all {
		all[i].shown = &objects.Trace{Doc: e.Doc, Path: at}
	}
	return all
}

// file reads the documents of a file that the entry names.
func (e entry) file(files *snapshot, name string) []*manifest.Document {
	file := path.Join(e.Dir, name)
	data, err := files.original(file)
	if err != nil {
		return nil
	}
	return parsed(manifest.Scan(file, data))
}

func parsed(file *manifest.File) []*manifest.Document {
	return slices.DeleteFunc(slices.Clone(file.Docs), func(d *manifest.Document) bool { return d.Parse() != nil })
}

// read splits documents into patches: mappings are strategic merge patches, sequences are operations of a JSON patch.
func (e entry) read(docs []*manifest.Document, target *manifest.Node) []patch {
	var all []patch
	for _, doc := range docs {
		p := patch{stage: e.stage, what: objects.StrategicPatch, field: e.field, index: e.index, doc: doc, target: target, options: e.node.Get("options")}
		if doc.Root.IsMapping() {
			all = append(all, p)
			continue
		}
		p.what = objects.JSONPatch
		for i := range doc.Root.Items() {
			p.at = manifest.Path{itoa(i)}
			all = append(all, p)
		}
	}
	return all
}

// replacements returns the fields that an entry of `replacements` sets.
func (e entry) replacements(files *snapshot) []patch {
	docs, root := []*manifest.Document{e.Doc}, e.path()
	if name := e.node.Get("path").String(); name != "" {
		docs, root = e.file(files, name), nil
	}
	var all []patch
	for _, doc := range docs {
		roots := []manifest.Path{root}
		if n := doc.Root.Lookup(root); n.IsSequence() { // a file can contain a list of them
			roots = nil
			for i := range n.Items() {
				roots = append(roots, root.Join(itoa(i)))
			}
		}
		for _, root := range roots {
			all = append(all, e.fields(doc, root)...)
		}
	}
	return all
}

func (e entry) fields(doc *manifest.Document, root manifest.Path) []patch {
	var all []patch
	targets := doc.Root.Lookup(root.Join("targets"))
	for i := 0; targets.IsSequence() && i < len(targets.Items()); i++ {
		target := targets.Items()[i]
		fields := target.Get("fieldPaths")
		for j := 0; fields.IsSequence() && j < len(fields.Items()); j++ {
			all = append(all, patch{
				stage: e.stage, what: objects.Replacement, field: e.field, index: e.index,
				doc: doc, at: root.Join("targets", itoa(i), "fieldPaths", itoa(j)), target: target.Get("select"),
			})
		}
	}
	return all
}

// inline parses a patch that is a string in a kustomization. Everything except the string is blanked out before parsing, so
// that its nodes have the offsets of the kustomization. Strings that are not written literally, such as quoted ones, have
// no documents: their fields cannot be located in the file.
func inline(doc *manifest.Document, n *manifest.Node) []*manifest.Document {
	if n == nil || n.Style()&yaml.LiteralStyle == 0 || !doc.Exact {
		return nil
	}
	data := bytes.Clone(doc.File.Data)
	header := bytes.IndexByte(data[n.Span().Start:n.Span().End], '\n')
	if header < 0 {
		return nil
	}
	blank(data[:n.Span().Start+header])
	blank(data[n.Span().End:])
	docs := parsed(manifest.Scan(doc.File.Path, data))
	alone := parsed(manifest.Scan("", []byte(n.String())))
	if len(docs) != 1 || len(alone) != 1 || !reflect.DeepEqual(docs[0].Root.Decode(), alone[0].Root.Decode()) {
		return nil
	}
	return docs
}

func blank(data []byte) {
	for i, c := range data {
		if c != '\n' && c != '\r' {
			data[i] = ' '
		}
	}
}
