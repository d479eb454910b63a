package judging

import (
	"bytes"

	"github.com/salint/salint/internal/assemble/loader"
)

// source returns the content of a file, or nil. The files of findings were parsed, or are templates.
func (r *Report) source(file string) []byte {
	if f := r.snapshot.Collection.Files[file]; f != nil {
		return f.Data
	}
	if r.unread()[file] {
		return nil
	}
	return readText(r.snapshot.Tree, file)
}

// unread returns the files of which nothing was read. They are not shown either: a symbolic link of a pull request can lead to a file that
// git ignores.
func (r *Report) unread() map[string]bool {
	files := map[string]bool{}
	for _, u := range r.snapshot.Collection.Unread {
		if u.Doc == nil && (u.Reading == loader.LeftOut || u.Unknown()) {
			files[u.File] = true
		}
	}
	return files
}

// Sources returns the same as a function that keeps nothing of the run but bytes: reports use it after further rounds, which need the
// memory.
func (r *Report) Sources() func(file string) []byte {
	tree, unread, parsed := r.snapshot.Tree, r.unread(), make(map[string][]byte, len(r.snapshot.Collection.Files))
	for name, f := range r.snapshot.Collection.Files {
		parsed[name] = f.Data
	}
	return func(file string) []byte {
		if data, ok := parsed[file]; ok {
			return data
		}
		if unread[file] {
			return nil
		}
		return readText(tree, file)
	}
}

// readText returns the content of a file, or nil: without it, reports show no code frame.
func readText(tree loader.Tree, file string) []byte {
	data, err := tree.Read(file)
	if err != nil || bytes.IndexByte(data, 0) >= 0 {
		return nil
	}
	return data
}
