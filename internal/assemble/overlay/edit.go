package overlay

import (
	"reflect"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// Edit is what an application writes into the kustomization at the root of a unit before the build. The unit has the user's
// kustomization, and in addition the transforms and resources of the application.
type Edit struct {
	// Root is the kustomization with the additions of the application.
	Root *objects.Kustomization
	// File is the kustomization and Data its text as built. New is set if the repository has no such file.
	File string
	Data []byte
	New  bool
	// Fields are the positions that set namePrefix, nameSuffix and namespace, as far as the application sets them.
	Fields map[string]objects.Trace
	// Patches are the last ones of the field `patches`, in order.
	Patches []EditPatch
	// Position is the position in the application.
	Position objects.Position
}

// EditPatch is a patch of an application.
type EditPatch struct {
	// Trace is the position of the patch.
	Trace objects.Trace
	// Doc is the user's document that contains the patch as it is applied, Entry the path of the patch in it and Text that
	// of its text; nil if there is none.
	Doc         *manifest.Document
	Entry, Text manifest.Path
}

// isFile reports whether a file is the edited one. The receiver can be nil, as in the other methods.
func (e *Edit) isFile(file string) bool { return e != nil && e.File == file }

// withFiles returns the files with the edit, and with others replacing further files.
func (e *Edit) withFiles(files render.Files, others map[string][]byte) render.Files {
	edits := map[string][]byte{}
	if e != nil {
		edits[e.File] = e.Data
	}
	for name, data := range others {
		edits[name] = data
	}
	if len(edits) == 0 {
		return files
	}
	return render.WithEdits(files, edits)
}

// relocate moves a problem in a text that exists only in memory to the position in the application.
func (e *Edit) relocate(p objects.Problem) objects.Problem {
	if e.isFile(p.Position.File) {
		p.Position = e.Position
	}
	return p
}

// doc returns the text that is built.
func (e *Edit) doc() *manifest.Document {
	docs := parsed(manifest.Scan(e.File, e.Data))
	if len(docs) == 0 {
		return &manifest.Document{} // kustomize has rejected it before
	}
	return docs[0]
}

// field returns the position that sets a field of a kustomization of the unit.
func (e *Edit) field(k *objects.Kustomization, name string) objects.Trace {
	if e.isFile(k.Path) {
		if trace, ok := e.Fields[name]; ok {
			trace.What, trace.Exact = objects.Transformer, true
			return trace
		}
	}
	return objects.Trace{Doc: k.Doc, Path: manifest.Path{name}, What: objects.Transformer, Exact: true}
}

// patches returns those of the application.
func (e *Edit) patches(s stage, files *snapshot) []patch {
	var all []patch
	for i, at := range e.entries(s) {
		if at.node.Get("path").String() != "" {
			all = append(all, at.patches(files)...)
			continue
		}
		all = append(all, e.Patches[i].read(at)...)
	}
	return all
}

// entries returns the items of `patches` that the application adds.
func (e *Edit) entries(s stage) []entry {
	list := e.doc().Root.Get("patches")
	if !list.IsSequence() || len(list.Items()) < len(e.Patches) {
		return nil
	}
	entries := make([]entry, len(e.Patches))
	for i := range entries {
		index := len(list.Items()) - len(e.Patches) + i
		entries[i] = entry{s, "patches", index, list.Items()[index]}
	}
	return entries
}

// writers returns the patches of the application, with the location of their texts.
func (e *Edit) writers(s stage, files *snapshot) []writer {
	var all []writer
	for i, at := range e.entries(s) {
		if at.node.Get("path").String() != "" {
			all = append(all, at.writers(files)...)
			continue
		}
		text := at.node.Get("patch").String()
		in, own := e.Patches[i].container()
		for _, p := range at.read(parsed(manifest.Scan(in.Path, []byte(text))), at.node.Get("target")) {
			all = append(all, writer{patch: p, scalar: e.Patches[i].Text, in: in, at: e.Patches[i].Entry, foreign: !own})
		}
	}
	return all
}

// container returns the user's document that contains the patch, as [objects.Writer] takes it; own is set if the patch can
// be edited there.
func (p EditPatch) container() (in *objects.Kustomization, own bool) {
	if p.Doc != nil {
		return &objects.Kustomization{Path: p.Doc.File.Path, Doc: p.Doc}, true
	}
	file, span := p.Trace.Locate()
	return &objects.Kustomization{Path: file.Path, Doc: &manifest.Document{File: file, Span: span}}, false
}

// read parses the text of a patch: that in the user's file if it is equal, otherwise the one that is built.
func (p EditPatch) read(at entry) []patch {
	text := at.node.Get("patch").String()
	docs := parsed(manifest.Scan(at.Path, []byte(text)))
	if p.Doc != nil && len(docs) == 1 {
		if own := inline(p.Doc, p.Doc.Root.Lookup(p.Text)); len(own) == 1 && reflect.DeepEqual(own[0].Root.Decode(), docs[0].Root.Decode()) {
			return at.read(own, at.node.Get("target"))
		}
	}
	all := at.read(docs, at.node.Get("target"))
	for i := range all {
		all[i].shown = &p.Trace
	}
	return all
}
