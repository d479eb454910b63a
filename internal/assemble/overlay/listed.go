package overlay

import (
	"bytes"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// listing finds the files of built objects without a mark among those that the kustomizations of a unit list.
type listing struct {
	unit   *objects.Unit
	files  *snapshot
	listed map[string]bool
	// kinds are the files by the kinds of their documents; nil before they are needed. hidden is set if a document of another kind may have
	// become an object.
	kinds  map[string][]string
	hidden bool
	// names are the files by the names of their objects, for each kind that more than one file has.
	names map[string]map[string][]string
}

func newListing(u *objects.Unit, files *snapshot) *listing {
	l := &listing{unit: u, files: files, listed: map[string]bool{}, names: map[string]map[string][]string{}}
	for _, k := range u.Kustomizations {
		for _, entry := range k.Resources {
			l.listed[entry.Target] = true
		}
	}
	return l
}

// file returns the file of an object: the only one with a document of its kind, or of those the only one with an object of its name, to which
// the prefixes and suffixes of the unit can be added. It is "" if that is not known.
func (l *listing) file(kind, name string) string {
	if l.kinds == nil {
		l.indexKinds()
	}
	if l.hidden {
		return ""
	}
	files := l.kinds[kind]
	if len(files) > 1 {
		files = l.named(kind, name)
	}
	if len(files) != 1 {
		return ""
	}
	return files[0]
}

// indexKinds reads the kinds of all listed files. What cannot be read has none: the kustomization of a folder lists its files, and a build
// leaves out what is not in the repository.
func (l *listing) indexKinds() {
	l.kinds = map[string][]string{}
	l.hidden = slices.ContainsFunc(l.unit.Kustomizations, func(k *objects.Kustomization) bool {
		return bytes.Contains(k.Doc.Bytes(), []byte("KindChange"))
	})
	for file := range l.listed {
		kinds, _ := cached(&l.files.kinds, file, func() (map[string]bool, error) { return l.files.readKinds(file) })
		for kind := range kinds {
			l.kinds[kind] = append(l.kinds[kind], file)
		}
	}
	l.hidden = l.hidden || len(l.kinds[""]) > 0
}

// readKinds returns the kinds of the documents in a file, with "" for one whose kind is not visible, or that holds others.
func (s *snapshot) readKinds(file string) (map[string]bool, error) {
	data, err := s.original(file)
	if err != nil {
		return nil, err
	}
	kinds := map[string]bool{}
	for _, doc := range manifest.Scan(file, data).Docs {
		switch kind := doc.Kind(); {
		case manifest.IsContainer(kind):
			kinds[""] = true
		case kind != "" || doc.Parse() != nil || doc.Root != nil:
			kinds[kind] = true
		}
	}
	return kinds, nil
}

// named returns the files that have an object of a kind whose name can become a built one.
func (l *listing) named(kind, built string) []string {
	names := l.names[kind]
	if names == nil {
		names = map[string][]string{}
		for _, file := range l.kinds[kind] {
			for _, o := range l.files.objectsIn(file, kind) {
				if o.Kind == kind && !slices.Contains(names[o.Name], file) {
					names[o.Name] = append(names[o.Name], file)
				}
			}
		}
		l.names[kind] = names
	}
	var found []string
	for _, name := range l.originals(built) {
		found = append(found, names[name]...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// maxName is the length of the names that the API server admits for most kinds.
const maxName = 253

// originals returns the names that can become a built one by the prefixes and suffixes of the unit. A longer name has none.
func (l *listing) originals(built string) []string {
	if len(built) > maxName {
		return nil
	}
	prefixes, suffixes := l.values("namePrefix"), l.values("nameSuffix")
	starts, ends := make([]bool, len(built)+1), make([]bool, len(built)+1)
	starts[0], ends[len(built)] = true, true
	for i := range built {
		for _, prefix := range prefixes {
			if starts[i] && strings.HasPrefix(built[i:], prefix) {
				starts[i+len(prefix)] = true
			}
		}
		back := len(built) - i
		for _, suffix := range suffixes {
			if ends[back] && strings.HasSuffix(built[:back], suffix) {
				ends[back-len(suffix)] = true
			}
		}
	}
	var names []string
	for start := range built {
		for end := start + 1; starts[start] && end <= len(built); end++ {
			if ends[end] {
				names = append(names, built[start:end])
			}
		}
	}
	return names
}

// values returns the values of a field of the unit, each once.
func (l *listing) values(field string) []string {
	var values []string
	for _, t := range l.unit.Transforms {
		if t.Field == field && t.Value != "" && !slices.Contains(values, t.Value) {
			values = append(values, t.Value)
		}
	}
	return values
}
