package lint

import (
	"bytes"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// A round of fixes changes few files, and its proof has already parsed these as they will be. The next round parses no document again
// whose bytes are the same.

// keepParsed keeps the files of the current round for the next one, unless its proof has parsed them with their changes.
func (s *Session) keepParsed() {
	if s.snapshot == nil {
		return
	}
	if s.parsedFiles == nil {
		s.parsedFiles = map[string]*manifest.File{}
	}
	for path, f := range s.snapshot.Files {
		if s.parsedFiles[path] == nil {
			s.parsedFiles[path] = f
		}
	}
}

// addParsed keeps the files of units that were built to prove a fix, if they differ from those of the round. A proof can also build the
// units without the changes.
func (r *run) addParsed(units []*objects.Unit, changed map[string][]byte) {
	if r.parsedFiles == nil {
		r.parsedFiles = map[string]*manifest.File{}
	}
	for _, u := range units {
		for _, o := range u.Objects {
			file, known := o.Doc.File, r.Files[o.File]
			if file.Path == o.File && changed[o.File] != nil && (known == nil || !bytes.Equal(known.Data, file.Data)) {
				r.parsedFiles[o.File] = file
			}
		}
	}
}

// takeOverParsed takes over what is known of those documents of files that are to be parsed, and forgets everything.
func (s *Session) takeOverParsed(files map[string]*manifest.File, parses func(*manifest.Document) bool) {
	for path, f := range files {
		known := s.parsedFiles[path]
		if known == nil || len(known.Docs) != len(f.Docs) {
			continue
		}
		for i, doc := range f.Docs {
			if parses(doc) {
				doc.TakeOver(known.Docs[i])
			}
		}
	}
	s.parsedFiles = nil
}
