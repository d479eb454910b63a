package overlay

import (
	"io/fs"
	"sync"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// snapshot is the repository as builds read it. Every file is read once, for all overlays. Files with parsed objects have
// the bytes from which these were parsed, and their objects carry marks.
type snapshot struct {
	files render.Files
	// read are the parsed files, objects their objects.
	read    map[string]*manifest.File
	objects map[string][]*objects.Object
	// kustomizations are those that fetch what is in the tree, by their files.
	kustomizations map[string]*objects.Kustomization
	// unmarked are files that kustomizations do not read as objects: in a patch, a mark would become part of the patch.
	unmarked map[string]bool

	data, short, dirs, links, parsed, kinds sync.Map // by name: a function that returns the result
}

func newSnapshot(files render.Files, units []*objects.Unit, edits map[*objects.Unit]*Edit) *snapshot {
	s := &snapshot{
		files: files, read: map[string]*manifest.File{}, objects: map[string][]*objects.Object{}, unmarked: map[string]bool{},
		kustomizations: map[string]*objects.Kustomization{},
	}
	seen := map[*objects.Object]bool{}
	for _, u := range units {
		for _, o := range u.AsWritten() {
			if !seen[o] {
				seen[o] = true
				s.read[o.File] = o.Doc.File
				s.objects[o.File] = append(s.objects[o.File], o)
			}
		}
		for _, k := range u.Kustomizations {
			if edit := edits[u]; edit == nil || !edit.New || k.Path != edit.File {
				s.read[k.Path] = k.Doc.File
				if k.Fetches() {
					s.kustomizations[k.Path] = k
				}
			}
		}
		for _, claim := range u.NonObjectInputs {
			s.unmarked[claim.File] = true
		}
	}
	return s
}

// ReadFile returns a file, with marks if its objects are known.
func (s *snapshot) ReadFile(name string) ([]byte, error) {
	return cached(&s.data, name, func() ([]byte, error) {
		file := s.read[name]
		switch {
		case file == nil:
			return s.files.ReadFile(name)
		case s.kustomizations[name] != nil:
			return s.kustomizations[name].Bytes(), nil
		case s.unmarked[name]:
			return file.Data, nil
		}
		return marked(file, s.objects[name]), nil
	})
}

// fileOf returns the file of marked objects, or "".
func (s *snapshot) fileOf(marks map[string]string) string {
	for _, mark := range marks {
		for i := range mark {
			if mark[i] == '#' && s.objects[mark[:i]] != nil {
				return mark[:i]
			}
		}
	}
	return ""
}

// original returns a file as the user wrote it.
func (s *snapshot) original(name string) ([]byte, error) {
	if file := s.read[name]; file != nil {
		return file.Data, nil
	}
	return s.ReadFile(name)
}

// ReadDir lists a folder.
func (s *snapshot) ReadDir(name string) ([]fs.DirEntry, error) {
	return cached(&s.dirs, name, func() ([]fs.DirEntry, error) { return s.files.ReadDir(name) })
}

// ReadLink returns the target of a symlink.
func (s *snapshot) ReadLink(name string) (string, error) {
	links, ok := s.files.(interface{ ReadLink(string) (string, error) })
	if !ok {
		return "", fs.ErrInvalid
	}
	return cached(&s.links, name, func() (string, error) { return links.ReadLink(name) })
}

// cached calls ask once and returns its result from then on.
func cached[T any](answers *sync.Map, name string, ask func() (T, error)) (T, error) {
	answer, known := answers.Load(name)
	if !known {
		answer, _ = answers.LoadOrStore(name, sync.OnceValues(ask))
	}
	return answer.(func() (T, error))()
}
