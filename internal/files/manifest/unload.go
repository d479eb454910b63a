package manifest

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"sync"
)

// Source reads the bytes of unloaded files again. A file that cannot be read, or has other bytes than before, is blank: Err must be
// called before anything that was found in unloaded files is used.
type Source struct {
	read func(path string) ([]byte, error)
	seed maphash.Seed

	mu  sync.Mutex
	err error
}

// NewSource returns a source that reads files with a function, which several goroutines can call.
func NewSource(read func(path string) ([]byte, error)) *Source {
	return &Source{read: read, seed: maphash.MakeSeed()}
}

// Err returns the first error; it names the file.
func (s *Source) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *Source) contents(f *File) []byte {
	data, err := s.read(f.Path)
	if err == nil && maphash.Bytes(s.seed, data) != f.hash {
		err = fmt.Errorf("%s has changed since it was read: run the command again", f.Path)
	}
	if err == nil {
		return data
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	return bytes.Repeat([]byte(" "), f.Docs[len(f.Docs)-1].Span.End)
}

// Unload drops the bytes of a file with documents until Reload. In the meantime, only [Document.Bytes] and what is known already can be
// asked for, and the bytes are read each time.
func (f *File) Unload(s *Source) {
	if f.source == nil && len(f.Docs) > 0 {
		f.source, f.hash, f.Data = s, maphash.Bytes(s.seed, f.Data), nil
	}
}

// Unloaded reports whether the bytes are dropped.
func (f *File) Unloaded() bool { return f.source != nil }

// Reload reads the bytes of an unloaded file. Nothing else may use the file at the same time.
func (f *File) Reload() {
	if f.source != nil {
		f.Data, f.source = f.contents(), nil
	}
}

func (f *File) contents() []byte {
	if f.source == nil {
		return f.Data
	}
	return f.source.contents(f)
}
