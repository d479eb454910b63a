package disk

import (
	"crypto/rand"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/salint/salint/internal/render/reuse"
)

// The limits of a folder and of an entry.
const (
	MaxBytes   = 256 << 20
	MaxEntries = 20_000

	maxEntry      = 8 << 20
	maxOfARequest = 8
)

// Store is a folder with entries. It is safe for concurrent use, also by several processes.
type Store struct {
	root *os.Root
	// names are the entries of each request when the folder was opened, by the part of names that they have in common.
	names map[string][]string

	hits, misses, ignored atomic.Int64
	mu                    sync.Mutex
	written               bool
}

// Counters count the use of a store.
type Counters struct {
	// Hits are results that were found, Misses those that were not. Ignored are entries that are damaged or not of this program.
	Hits, Misses, Ignored int
}

// Open opens a folder, and makes it if it does not exist. The error is why its entries cannot be trusted.
func Open(dir string) (*Store, error) {
	root, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	s := &Store{root: root, names: map[string][]string{}}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		root.Close()
		return nil, err
	}
	for _, e := range entries {
		if isName(e.Name()) {
			request := e.Name()[:digits]
			s.names[request] = append(s.names[request], e.Name())
		}
	}
	return s, nil
}

// Counters returns the use so far.
func (s *Store) Counters() Counters {
	return Counters{Hits: int(s.hits.Load()), Misses: int(s.misses.Load()), Ignored: int(s.ignored.Load())}
}

// Load returns the entries of a request. Those that cannot be read are left out.
func (s *Store) Load(request reuse.Digest) []reuse.Entry {
	names := s.names[requestOf(request)]
	var entries []reuse.Entry
	for _, name := range names[:min(len(names), maxOfARequest)] {
		e, err := s.read(name)
		if err != nil || e.Request != request || nameOf(e) != name {
			s.ignored.Add(1)
			continue
		}
		entries = append(entries, e)
	}
	return entries
}

func (s *Store) read(name string) (e reuse.Entry, err error) {
	info, err := s.root.Lstat(name)
	if err != nil {
		return e, err
	}
	if !isEntryFile(info) || info.Size() > maxEntry {
		return e, errDamaged
	}
	file, err := s.root.Open(name)
	if err != nil {
		return e, err
	}
	defer file.Close()
	if opened, err := file.Stat(); err != nil || !os.SameFile(info, opened) {
		return e, errDamaged
	}
	data, err := io.ReadAll(io.LimitReader(file, maxEntry))
	if err != nil {
		return e, err
	}
	return decode(data)
}

// usedAgain is how old the time of an entry is that is renewed when the entry is used: not each time, because that writes.
const usedAgain = time.Hour

// Found counts a search, and renews the time of the entry that had the result.
func (s *Store) Found(e *reuse.Entry) {
	if e == nil {
		s.misses.Add(1)
		return
	}
	s.hits.Add(1)
	name := nameOf(*e)
	if info, err := s.root.Lstat(name); err == nil && time.Since(info.ModTime()) > usedAgain {
		now := time.Now()
		_ = s.root.Chtimes(name, now, now) // otherwise it is removed earlier
	}
}

// Save writes an entry, unless its result is an error, depends on the clock, is too large, or has data of a Secret. An entry that
// cannot be written is built again by the next run.
func (s *Store) Save(e reuse.Entry) {
	if e.Result.Error != nil || e.Result.Varies || e.Result.Size() > maxEntry {
		return
	}
	data, err := encode(e)
	if err != nil || len(data) > maxEntry || holdsSecret(e) {
		return
	}
	if s.write(nameOf(e), data) == nil {
		s.mu.Lock()
		s.written = true
		s.mu.Unlock()
	}
}

// temporary begins the names of files that are being written.
const temporary = ".tmp-"

// write replaces a file in one step.
func (s *Store) write(name string, data []byte) error {
	temp := temporary + rand.Text()
	file, err := s.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = s.root.Rename(temp, name)
	}
	if err != nil {
		_ = s.root.Remove(temp)
	}
	return err
}

// Close removes the entries above the limits, if any were written.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.written {
		s.trim(MaxBytes, MaxEntries)
	}
	return s.root.Close()
}

// abandoned is the age of a temporary file that no run is still writing.
const abandoned = time.Hour

// trim removes the oldest entries until the rest is within limits, and abandoned temporary files. Another run can do the same.
func (s *Store) trim(maxBytes int64, maxEntries int) {
	entries, err := fs.ReadDir(s.root.FS(), ".")
	if err != nil {
		return
	}
	var all []fs.FileInfo
	var size int64
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil || !info.Mode().IsRegular():
		case isName(e.Name()):
			all = append(all, info)
			size += info.Size()
		case len(e.Name()) > len(temporary) && e.Name()[:len(temporary)] == temporary && time.Since(info.ModTime()) > abandoned:
			_ = s.root.Remove(e.Name())
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for len(all) > 0 && (size > maxBytes || len(all) > maxEntries) {
		_ = s.root.Remove(all[0].Name())
		size -= all[0].Size()
		all = all[1:]
	}
}
