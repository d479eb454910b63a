package reading

import (
	"context"
	"io/fs"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// StdinName is the file name of standard input in findings.
const StdinName = objects.StandardInput

// Stdin returns a tree with one file: standard input.
func Stdin(data []byte) loader.Tree { return stdin{data: data} }

type stdin struct {
	loader.SingleFiles
	data []byte
}

func (s stdin) Walk(_ context.Context, o repo.WalkOptions, visit func(repo.File)) ([]repo.Skip, error) {
	if o.Others {
		return nil, nil
	}
	visit(repo.File{Path: StdinName, Size: int64(len(s.data)), Data: s.data})
	return nil, nil
}

func (s stdin) Read(path string) ([]byte, error) {
	if path != StdinName {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	return s.data, nil
}

func (s stdin) Text(path string) ([]byte, error) { return s.Read(path) }

func (s stdin) Selected(path string) bool { return path == StdinName }
