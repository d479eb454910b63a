package process

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/salint/salint/internal/render/protocol"
)

// files is a read-only file system with the files of the parent.
type files struct {
	parent answerer
	known  map[protocol.Query]protocol.Answer
}

var _ filesys.FileSystem = (*files)(nil)

// answerer answers queries for files, as the parent does.
type answerer interface {
	ask(protocol.Query) protocol.Answer
}

var errReadOnly = errors.New("a build cannot change files")

func newFiles(p answerer) *files {
	return &files{parent: p, known: map[protocol.Query]protocol.Answer{}}
}

func (f *files) ask(query protocol.Query) (protocol.Answer, error) {
	query.Path = path.Clean(filepath.ToSlash(query.Path))
	answer, known := f.known[query]
	if !known {
		answer = f.parent.ask(query)
		f.known[query] = answer
	}
	if answer.Error != "" {
		return answer, errors.New(answer.Error)
	}
	return answer, nil
}

func (f *files) ReadFile(name string) ([]byte, error) {
	answer, err := f.ask(protocol.Query{Path: name, Read: true})
	if err != nil {
		return nil, err
	}
	return bytes.Clone(answer.Data), nil
}

func (f *files) CleanedAbs(name string) (filesys.ConfirmedDir, string, error) {
	answer, err := f.ask(protocol.Query{Path: name})
	if err != nil {
		return "", "", err
	}
	if answer.Dir {
		return filesys.ConfirmedDir(answer.Path), "", nil
	}
	return filesys.ConfirmedDir(path.Dir(answer.Path)), path.Base(answer.Path), nil
}

func (f *files) IsDir(name string) bool {
	answer, err := f.ask(protocol.Query{Path: name})
	return err == nil && answer.Dir
}

func (f *files) Exists(name string) bool {
	_, err := f.ask(protocol.Query{Path: name})
	return err == nil
}

// The remaining methods are for programs that edit. The builder does not call them.

func (f *files) Create(string) (filesys.File, error) { return nil, errReadOnly }
func (f *files) Mkdir(string) error                  { return errReadOnly }
func (f *files) MkdirAll(string) error               { return errReadOnly }
func (f *files) RemoveAll(string) error              { return errReadOnly }
func (f *files) WriteFile(string, []byte) error      { return errReadOnly }
func (f *files) Open(name string) (filesys.File, error) {
	return nil, fmt.Errorf("%s: a build cannot open files", name)
}
func (f *files) ReadDir(name string) ([]string, error) {
	return nil, fmt.Errorf("%s: a build cannot list folders", name)
}
func (f *files) Glob(pattern string) ([]string, error) {
	return nil, fmt.Errorf("%s: a build cannot match patterns", pattern)
}
func (f *files) Walk(name string, _ filepath.WalkFunc) error {
	return fmt.Errorf("%s: a build cannot walk folders", name)
}
