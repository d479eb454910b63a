package reading

import (
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/olm"
)

// maxTexts is how many bytes of files are kept. Further files are read again if they are needed.
const maxTexts = 16 << 20

// texts are the contents of files, up to a limit.
type texts struct {
	mu    sync.Mutex
	files map[string][]byte
	// others are the files that were read and not kept.
	others []string
	size   int
}

// add keeps the content of a file, unless that exceeds the limit.
func (t *texts) add(file repo.File) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.size += len(file.Data); t.size <= maxTexts {
		t.files[file.Path] = file.Data
	} else {
		t.others = append(t.others, file.Path)
	}
}

// shrink drops the contents if the limit is exceeded: a search has to read most files again anyway.
func (t *texts) shrink() {
	if t.size > maxTexts {
		t.others = slices.AppendSeq(t.others, maps.Keys(t.files))
		t.files = nil
	}
}

// Texts returns the contents of those files for which wanted returns true, in no order. Files that cannot be read again are left out.
func (s *Snapshot) Texts(wanted func(file string) bool) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for file, data := range s.texts.files {
			if wanted(file) && !yield(file, data) {
				return
			}
		}
		for _, file := range s.texts.others {
			if !wanted(file) {
				continue
			}
			if data, err := s.Text(file); err == nil && !yield(file, data) {
				return
			}
		}
	}
}

// ScriptSignals returns the signals of the scripts of the repository, see [loader.ScriptSignals].
func (s *Snapshot) ScriptSignals() map[string][]olm.Signal { return s.scripts() }

// Text returns the content of a file. Unless it was kept, the file is read again: a manifest, or another file that a search needs, which
// may be a large binary one.
func (s *Snapshot) Text(file string) ([]byte, error) {
	if data, kept := s.texts.files[file]; kept {
		return data, nil
	}
	if s.Collection.Has(file) {
		return s.Tree.Read(file)
	}
	return s.Tree.Text(file)
}

// readAgain returns the content of a manifest that was read; nil if it cannot be read again.
func (s *Snapshot) readAgain(file string) []byte {
	if data, kept := s.texts.files[file]; kept {
		return data
	}
	if !s.Collection.Has(file) {
		return nil
	}
	data, err := s.Tree.Read(file)
	if err != nil {
		return nil
	}
	return data
}
