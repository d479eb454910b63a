package lint

import (
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Most files of a large repository hold workloads, ConfigMaps, and releases in which no rule finds anything. Which of them matter is known
// only after all files were read, so their contents would be in memory at once. The contents of those that come after maxTexts bytes are
// unloaded as soon as everything is known that the choice of documents asks for: words, names, and facts. A file is reloaded if one of its
// documents is parsed.

// textLimit returns how many bytes of files are kept.
func (s *Session) textLimit() int {
	if s.unloads {
		return 0
	}
	return maxTexts
}

// unload drops the content of a file, if the choice of documents does not ask for it again. Some documents of files that are not kept are
// asked for anyway, such as sources of charts.
func (r *reader) unload(f *manifest.File, searches []manifest.Search, keep bool) {
	if r.contents.texts.keeps(f.Path) || objects.IsKustomizationFile(f.Path) || mayHaveManifest(f.Data) {
		return
	}
	var named []namedDocument
	var settings []namedSetting
	for n, doc := range f.Docs {
		search := &searches[n]
		if r.needsBytes(search) {
			return
		}
		if keep && loader.IsConfigMap(doc) {
			name, plain := loader.NameOf(doc)
			if !plain {
				return
			}
			settings = append(settings, namedSetting{doc, name})
		}
		if keep && (isOfRBAC(doc.Kind()) || r.connectedKinds.Selects(search)) {
			named = append(named, readNames(doc))
		}
		search.Find()
	}
	r.addNames(named, settings)
	f.Unload(r.source)
	r.spare()
}

// needsBytes reports whether more than words, names, and facts will be asked of a document: the labels of cluster roles, and what is
// inside objects that hold others.
func (r *reader) needsBytes(search *manifest.Search) bool {
	kind := search.Document.Kind()
	return kind == "" || kind == "ClusterRole" || r.judgedKinds.Holds(search) || namesAccountByVariable(search.Document)
}

// isOfRBAC reports whether names lead to the documents of a kind, also if rules judge it.
func isOfRBAC(kind string) bool {
	switch kind {
	case accountKind, "Role", "RoleBinding", "ClusterRoleBinding":
		return true
	}
	return false
}

// namedSetting is a ConfigMap with its name.
type namedSetting struct {
	doc  *manifest.Document
	name string
}

// addNames takes note of names in documents of unloaded files.
func (r *reader) addNames(named []namedDocument, settings []namedSetting) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, doc := range named {
		r.names[doc.Document] = doc
	}
	for _, setting := range settings {
		r.settingNames[setting.doc] = setting.name
	}
}

// namesOf returns the names in a document. Nothing else may use its file at the same time.
func (r *reader) namesOf(doc *manifest.Document) namedDocument {
	if names, unloaded := r.names[doc]; unloaded {
		return names
	}
	doc.File.Reload() // once for all of its documents
	return readNames(doc)
}

// mayBeNamed is loader.MayBeNamed, also for a ConfigMap in an unloaded file.
func (r *reader) mayBeNamed(doc *manifest.Document, names []string) bool {
	if name, unloaded := r.settingNames[doc]; unloaded {
		return loader.ContainsName(name, names)
	}
	return loader.MayBeNamed(doc, names)
}

// reloadParsed reads all unloaded files again that have a document that is parsed.
func (r *reader) reloadParsed() {
	for doc := range r.parsedDocuments() {
		doc.File.Reload()
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
