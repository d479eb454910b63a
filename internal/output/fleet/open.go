package fleet

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"os"

	"github.com/salint/salint/internal/files/regular"
)

// files opens reports.
type files struct {
	// dir is the folder to which relative paths are relative.
	dir string
	// read, if set, is called with the number of bytes of each read, from several goroutines. Tests set it.
	read func(bytes int)
}

// openFile is an open report.
type openFile struct {
	*os.File
	counted func(bytes int)
	sum     hash.Hash
}

func (f openFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.sum.Write(p[:n])
	if f.counted != nil {
		f.counted(n)
	}
	return n, err
}

// open opens a regular file of a limited size.
func (r files) open(name string) (*openFile, error) {
	f, err := openRegular(absolute(r.dir, name))
	if err != nil {
		return nil, err
	}
	return &openFile{f, r.read, sha256.New()}, nil
}

func openRegular(file string) (*os.File, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, regular.Cause(err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = regular.Cause(err)
	case !info.Mode().IsRegular():
		err = errors.New("is not a regular file")
	case info.Size() > maxReport:
		err = fmt.Errorf("is larger than %d MiB", maxReport>>20)
	case info.Size() == 0:
		err = errors.New("is empty: the run wrote no report")
	default:
		return f, nil
	}
	f.Close()
	return nil, err
}
