package lint

import (
	"context"
	"io/fs"

	"github.com/salint/salint/internal/files/repo"
)

// StdinName is what standard input is called in findings.
const StdinName = "<stdin>"

// Single is a tree of one file: standard input.
func Single(data []byte) Tree { return single(data) }

type single []byte

func (s single) Walk(_ context.Context, o repo.WalkOptions, visit func(repo.File)) ([]repo.Skip, error) {
	if o.Others {
		return nil, nil
	}
	visit(repo.File{Path: StdinName, Size: int64(len(s)), Data: s})
	return nil, nil
}

func (s single) Read(path string) ([]byte, error) {
	if path != StdinName {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	return s, nil
}

func (s single) Selected(path string) bool { return path == StdinName }
