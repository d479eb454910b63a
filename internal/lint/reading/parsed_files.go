package reading

import (
	"bytes"
	"maps"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// ParsedFiles are files that a round and its proofs have parsed. A round of fixes changes few files, and its proof has already parsed
// these as they will be: the next round parses no document again whose bytes are the same.
type ParsedFiles struct {
	files map[string]*manifest.File
}

// Files returns the files by their paths.
func (p *ParsedFiles) Files() map[string]*manifest.File { return maps.Clone(p.files) }

func (p *ParsedFiles) set(path string, f *manifest.File) {
	if p.files == nil {
		p.files = map[string]*manifest.File{}
	}
	p.files[path] = f
}

// Keep keeps the files of a snapshot for the next round, unless its proof has parsed them with their changes.
func (p *ParsedFiles) Keep(s *Snapshot) {
	for path, f := range s.Collection.Files {
		if p.files[path] == nil {
			p.set(path, f)
		}
	}
}

// Add keeps the files of units that were built to prove a fix of a snapshot, if they differ from those of the round. A proof can also
// build the units without the changes.
func (p *ParsedFiles) Add(s *Snapshot, units []*objects.Unit, changed map[string][]byte) {
	for _, u := range units {
		for _, o := range u.Objects {
			file, known := o.Doc.File, s.Collection.Files[o.File]
			if file.Path == o.File && changed[o.File] != nil && (known == nil || !bytes.Equal(known.Data, file.Data)) {
				p.set(o.File, file)
			}
		}
	}
}

// takeOver takes over what is known of those documents of files that are to be parsed, and forgets everything.
func (p *ParsedFiles) takeOver(files map[string]*manifest.File, parses func(*manifest.Document) bool) {
	for path, f := range files {
		known := p.files[path]
		if known == nil || len(known.Docs) != len(f.Docs) {
			continue
		}
		for i, doc := range f.Docs {
			if parses(doc) {
				doc.TakeOver(known.Docs[i])
			}
		}
	}
	p.files = nil
}
