package overlay

import (
	"bytes"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// listedFile returns the file of a unit that a built object without a mark is from: the only one that is listed and has a document of its
// kind, or the only one of those that has an object of its name, to which a prefix and suffix can be added. It is "" if a document of another
// kind may have become the object.
func (s *snapshot) listedFile(u *objects.Unit, kind, name string) string {
	var ofKind []string
	seen := map[string]bool{}
	for _, k := range u.Kustomizations {
		if bytes.Contains(k.Doc.Bytes(), []byte("KindChange")) {
			return ""
		}
		for _, entry := range k.Resources {
			if seen[entry.Target] || entry.Field == "components" {
				continue
			}
			seen[entry.Target] = true
			has, certain := s.hasKind(entry.Target, kind)
			switch {
			case !certain:
				return ""
			case has:
				ofKind = append(ofKind, entry.Target)
			}
		}
	}
	if len(ofKind) > 1 {
		ofKind = s.withName(ofKind, kind, name, !slices.ContainsFunc(u.Transforms, changesNames))
	}
	if len(ofKind) != 1 {
		return ""
	}
	return ofKind[0]
}

// hasKind reports whether a file has a document of a kind. It is not certain if the kind of a document is not visible, or if one holds others.
// A folder has none, because its kustomization lists the files.
func (s *snapshot) hasKind(file, kind string) (has, certain bool) {
	kinds, err := cached(&s.kinds, file, func() (map[string]bool, error) { return s.readKinds(file) })
	if err != nil {
		return false, isDir(s, file)
	}
	return kinds[kind], !kinds[""]
}

// readKinds returns the kinds of the documents in a file, with "" if one is not known.
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

func isDir(s *snapshot, name string) bool {
	_, err := s.ReadDir(name)
	return err == nil
}

// withName returns the files that have an object whose name is part of a built name; if no name is changed, those that have the name.
func (s *snapshot) withName(files []string, kind, name string, unchanged bool) []string {
	var found []string
	for _, file := range files {
		if slices.ContainsFunc(s.objectsIn(file), func(o *objects.Object) bool {
			return o.Kind == kind && o.Name != "" && (o.Name == name || !unchanged && strings.Contains(name, o.Name))
		}) {
			found = append(found, file)
		}
	}
	return found
}

func changesNames(t objects.Transform) bool {
	return t.Field == "namePrefix" || t.Field == "nameSuffix"
}
