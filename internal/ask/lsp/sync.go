package lsp

import (
	"fmt"
	"path/filepath"

	"github.com/salint/salint/internal/files/repo"
)

// didOpen adds a document.
func (s *server) didOpen(p didOpenParams) error {
	d := &document{uri: p.TextDocument.URI, version: p.TextDocument.Version, text: newText(p.TextDocument.Text)}
	if old := s.documents[d.uri]; old != nil {
		s.log(messageWarning, fmt.Sprintf("%s was opened twice", d.uri))
	}
	s.locate(d)
	s.documents[d.uri] = d
	if d.repository == nil {
		return fmt.Errorf("%s is not checked: %s", d.uri, d.refused)
	}
	d.repository.readAgain()
	return nil
}

// didChange changes the text of a document.
func (s *server) didChange(p didChangeParams) error {
	old := s.documents[p.TextDocument.URI]
	switch {
	case old == nil:
		return fmt.Errorf("%s is not open", p.TextDocument.URI)
	case p.TextDocument.Version == nil:
		return fmt.Errorf("%s: the change has no version and was ignored", old.uri)
	case *p.TextDocument.Version <= old.version:
		return fmt.Errorf("%s: the change to version %d was ignored: the document has version %d", old.uri, *p.TextDocument.Version, old.version)
	}
	d := *old
	d.version = *p.TextDocument.Version
	if n := len(p.ContentChanges); n > 0 && p.ContentChanges[n-1].Range == nil {
		d.unsynced = ""
	}
	changed, err := old.text.changed(p.ContentChanges, s.encoding)
	if err == nil {
		d.text = changed
	} else {
		d.unsynced = fmt.Sprintf("the editor sent a change that cannot be applied (%v): close the file, and open it again", err)
	}
	s.documents[d.uri] = &d
	if d.repository != nil {
		d.repository.changed()
	}
	if err != nil {
		return fmt.Errorf("%s: version %d: %w", d.uri, d.version, err)
	}
	return nil
}

// didSave reads the repository again: a tool that runs when a file is saved may have changed others.
func (s *server) didSave(p textDocumentParams) error {
	d := s.documents[p.TextDocument.URI]
	if d == nil {
		return fmt.Errorf("%s is not open", p.TextDocument.URI)
	}
	if d.repository != nil {
		d.repository.readAgain()
	}
	return nil
}

// didClose removes a document. From then on, the file on the disk counts.
func (s *server) didClose(p textDocumentParams) error {
	d := s.documents[p.TextDocument.URI]
	if d == nil {
		return fmt.Errorf("%s is not open", p.TextDocument.URI)
	}
	delete(s.documents, d.uri)
	if d.repository != nil {
		d.repository.readAgain()
	}
	return nil
}

// readAgain reads all repositories again.
func (s *server) readAgain() {
	for _, r := range s.repositories {
		r.readAgain()
	}
}

// didChangeFolders changes the folders of the workspace, and finds the repositories of all documents again.
func (s *server) didChangeFolders(p didChangeFoldersParams) error {
	removed := map[string]bool{}
	for _, f := range p.Event.Removed {
		if folder, err := pathOf(f.URI); err == nil {
			removed[folder] = true
		}
	}
	var kept []string
	for _, folder := range s.folders {
		if !removed[folder] {
			kept = append(kept, folder)
		}
	}
	s.folders = kept
	for _, f := range p.Event.Added {
		s.addFolder(f.URI)
	}
	for uri, old := range s.documents {
		d := *old
		d.repository, d.name, d.refused = nil, "", ""
		s.locate(&d)
		s.documents[uri] = &d
	}
	s.readAgain()
	return nil
}

// locate finds the repository of a document. If there is none, the document is refused, with the reason.
func (s *server) locate(d *document) {
	file, err := pathOf(d.uri)
	if err != nil {
		d.refused = err.Error()
		return
	}
	folder, ok := s.folderOf(file)
	if !ok {
		d.refused = "it is outside of the workspace folders"
		return
	}
	real := realPath(file)
	root, err := rootOf(folder, real)
	if err != nil {
		d.refused = err.Error()
		return
	}
	name, err := filepath.Rel(root, real)
	if err != nil || !filepath.IsLocal(name) {
		d.refused = "it leads out of the workspace folders"
		return
	}
	d.name = filepath.ToSlash(name)
	if !isChecked(d.name) {
		d.refused = "its name is not that of a manifest"
		return
	}
	d.repository = s.repositories[root]
	if d.repository == nil {
		d.repository = s.newRepository(root, folder)
		s.repositories[root] = d.repository
	}
	d.repository.name(file, d.name)
}

// folderOf returns the workspace folder that contains a file; without workspace folders, the folder of the file.
func (s *server) folderOf(file string) (folder string, ok bool) {
	if len(s.folders) == 0 {
		return filepath.Dir(file), true
	}
	for _, f := range s.folders {
		if (isBelow(f, file) || isBelow(realPath(f), file)) && len(f) > len(folder) {
			folder = f
		}
	}
	return folder, folder != ""
}

// rootOf returns the root of the repository of git that contains a file; without git, the folder in which the editor works.
func rootOf(folder, file string) (string, error) {
	dir := filepath.Dir(file)
	for !isFolder(dir) && filepath.Dir(dir) != dir {
		dir = filepath.Dir(dir)
	}
	r, err := repo.Open(dir, []string{dir})
	if err != nil {
		return "", err
	}
	defer r.Close()
	if r.GitRoot != "" {
		return r.Root, nil
	}
	return realPath(folder), nil
}
