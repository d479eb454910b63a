package repo

import (
	"io/fs"
	"path"

	"github.com/salint/salint/internal/files/git"
	"github.com/salint/salint/internal/files/worktree"
)

// membersFS are the files of a workspace, and the folders between the root and its repositories.
type membersFS struct {
	members []memberFS
	above   *git.Tree
}

// memberFS are the files of a repository.
type memberFS struct {
	*Member
	fs.FS
}

func newMembersFS(members []*Member, files func(*Member) fs.FS) membersFS {
	all := membersFS{above: git.NewTree()}
	for _, m := range members {
		all.members = append(all.members, memberFS{m, files(m)})
		if m.Dir != "." {
			all.above.List(path.Dir(m.Dir), git.Folder(path.Base(m.Dir)))
		}
	}
	return all
}

// find returns the files that have a path, with the path in them.
func (f membersFS) find(op, name string) (files fs.FS, inside string, err error) {
	if !fs.ValidPath(name) {
		return nil, "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	for _, m := range f.members {
		if inside, is := m.path(name); is {
			return m.FS, inside, nil
		}
	}
	return f.above, name, nil
}

// Open opens a file or folder.
func (f membersFS) Open(name string) (fs.File, error) {
	files, name, err := f.find("open", name)
	if err != nil {
		return nil, err
	}
	return files.Open(name)
}

// ReadFile returns the bytes of a file.
func (f membersFS) ReadFile(name string) ([]byte, error) {
	files, name, err := f.find("read", name)
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(files, name)
}

// Stat returns what is known of a file or folder.
func (f membersFS) Stat(name string) (fs.FileInfo, error) {
	files, name, err := f.find("stat", name)
	if err != nil {
		return nil, err
	}
	return fs.Stat(files, name)
}

// ReadDir lists a folder.
func (f membersFS) ReadDir(name string) ([]fs.DirEntry, error) {
	files, name, err := f.find("readdir", name)
	if err != nil {
		return nil, err
	}
	return fs.ReadDir(files, name)
}

// ReadLink returns the target of a symlink, if the files have any. A link out of a repository leads nowhere, also if it leads into another one.
func (f membersFS) ReadLink(name string) (string, error) {
	for _, m := range f.members {
		inside, is := m.path(name)
		links, hasLinks := m.FS.(fs.ReadLinkFS)
		if !is || !hasLinks {
			continue
		}
		target, err := links.ReadLink(inside)
		if err == nil && !m.holds(path.Join(path.Dir(inside), target)) {
			err = worktree.ErrOutside
		}
		return target, err
	}
	return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
}

// Lstat returns a symlink as it is.
func (f membersFS) Lstat(name string) (fs.FileInfo, error) {
	files, name, err := f.find("lstat", name)
	if err != nil {
		return nil, err
	}
	if links, hasLinks := files.(fs.ReadLinkFS); hasLinks {
		return links.Lstat(name)
	}
	return fs.Stat(files, name)
}

// holds reports whether the folder of a member contains a path of its repository.
func (m *Member) holds(p string) bool {
	_, is := m.outside(p)
	return is && fs.ValidPath(p)
}
