package lint

import (
	"slices"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Most files of a large repository hold workloads, ConfigMaps, and releases in which no rule finds anything. Which of them matter is known
// only after all files were read, so their contents would be in memory at once. The contents of those that come after maxTexts bytes are
// released as soon as everything is known that the choice of documents asks for: words, names, and facts. A file is restored if one of its
// documents is parsed.

// textLimit returns how many bytes of files are kept.
func (s *Session) textLimit() int {
	if s.releases {
		return 0
	}
	return maxTexts
}

// release drops the content of a file, if the choice of documents does not ask for it again. Some documents of files that are not kept are
// asked for anyway, such as sources of charts.
func (r *reader) release(f *manifest.File, searches []manifest.Search, keep bool) {
	if r.contents.texts.keeps(f.Path) || objects.IsKustomizationFile(f.Path) || mayHaveManifest(f.Data) {
		return
	}
	for n := range searches {
		if r.needsBytes(&searches[n]) {
			return
		}
	}
	for n, doc := range f.Docs {
		searches[n].Find()
		switch {
		case !keep:
		case loader.IsConfigMap(doc):
			names, certain := visibleNames(manifest.WithoutEscapes(doc.Bytes()))
			r.addNames(namedDocument{doc, names, !certain || len(names) == 0})
		case isOfRBAC(doc.Kind()) || r.connectedKinds.Selects(&searches[n]):
			r.addNames(readNames(doc))
		}
	}
	f.Release(r.source)
	r.spare()
}

// isOfRBAC reports whether names lead to the documents of a kind, also if rules judge it.
func isOfRBAC(kind string) bool {
	switch kind {
	case accountKind, "Role", "RoleBinding", "ClusterRoleBinding":
		return true
	}
	return false
}

// addNames takes note of the names in a document, by which others may lead to it.
func (r *reader) addNames(doc namedDocument) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names[doc.Document] = doc
}

// namesOf returns the names in a document.
func (r *reader) namesOf(doc *manifest.Document) namedDocument {
	if names, released := r.names[doc]; released {
		return names
	}
	return readNames(doc)
}

// mayHaveName reports whether a ConfigMap may have one of some names.
func (r *reader) mayHaveName(doc *manifest.Document, names []string) bool {
	found, released := r.names[doc]
	if !released {
		return loader.Contains(doc, names)
	}
	return found.always || slices.ContainsFunc(names, func(name string) bool { return slices.Contains(found.names, name) })
}

// needsBytes reports whether more than words, names, and facts will be asked of a document: the labels of cluster roles, and what is
// inside objects that hold others.
func (r *reader) needsBytes(search *manifest.Search) bool {
	kind := search.Document.Kind()
	return kind == "" || kind == "ClusterRole" || r.judgedKinds.Holds(search) || namesAccountByVariable(search.Document)
}

// restoreParsed reads all released files again that have a document that is parsed.
func (r *reader) restoreParsed() {
	for doc := range r.parsedDocuments() {
		if doc.File.Released() {
			doc.File.Restore()
		}
	}
}

// readAgain returns the content of a manifest that was read; nil if it cannot be read again.
func (r *reader) readAgain(file string) []byte {
	if data, kept := r.contents.texts.files[file]; kept {
		return data
	}
	if !r.contents.Has(file) {
		return nil
	}
	data, err := r.tree.Read(file)
	if err != nil {
		return nil
	}
	return data
}
