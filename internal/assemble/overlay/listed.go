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
		ofKind = s.withName(u, ofKind, kind, name)
	}
	if len(ofKind) != 1 {
		return ""
	}
	return ofKind[0]
}

// hasKind reports whether a file has a document of a kind. It is not certain if the kind of a document is not visible, or if one holds others.
// What cannot be read has none: the kustomization of a folder lists the files, and a build leaves out what is not in the repository.
func (s *snapshot) hasKind(file, kind string) (has, certain bool) {
	kinds, err := cached(&s.kinds, file, func() (map[string]bool, error) { return s.readKinds(file) })
	return kinds[kind], err != nil || !kinds[""]
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

// withName returns the files that have an object whose name can become a built one.
func (s *snapshot) withName(u *objects.Unit, files []string, kind, name string) []string {
	var found []string
	for _, file := range files {
		if slices.ContainsFunc(s.objectsIn(file), func(o *objects.Object) bool { return o.Kind == kind && becomes(u, o.Name, name) }) {
			found = append(found, file)
		}
	}
	return found
}

// becomes reports whether a name can become a built one by the prefixes and suffixes of a unit.
func becomes(u *objects.Unit, name, built string) bool {
	for i := range len(built) - len(name) + 1 {
		if name != "" && built[i:i+len(name)] == name && composed(u, "namePrefix", built[:i]) && composed(u, "nameSuffix", built[i+len(name):]) {
			return true
		}
	}
	return false
}

// composed reports whether a text consists of values of a field of a unit.
func composed(u *objects.Unit, field, text string) bool {
	return text == "" || slices.ContainsFunc(u.Transforms, func(t objects.Transform) bool {
		rest, begins := strings.CutPrefix(text, t.Value)
		return t.Field == field && t.Value != "" && begins && composed(u, field, rest)
	})
}
