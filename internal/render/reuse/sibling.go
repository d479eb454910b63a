package reuse

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"github.com/salint/salint/internal/render/protocol"
)

// Overlays of a base often have the same content, above all after a fix that removes the same patch from each. What kustomize makes of
// a folder does not depend on the name of the folder, unless a file contains it: all paths in a build come from the request and from the
// files that were read, and those in the result are relative to the folder. So the result of a folder is also that of a sibling, a
// folder in the same parent folder, if all queries have the same answers when each of them is relative to its folder. Messages of
// errors have the paths of their folder, so errors are not taken from siblings.

// Siblings describes a request for the build of a folder whose result can be taken from its siblings, or by these.
type Siblings struct {
	// Folder is the path of the folder in queries.
	Folder string
	// Content is of the file that is read first: siblings that differ in it are not compared.
	Content []byte
	// Again forgets the queries so far, before they are asked again.
	Again func()
	// Allowed reports after a build whether what it has read permits to take its result for siblings.
	Allowed func() bool
}

// ownFolder stands for the path of the folder in the paths of siblings. No other path begins with it.
const ownFolder = "\x00"

// folder is the folder of a request, for comparisons with siblings. The zero value has none.
type folder struct{ path, name string }

// plainName matches the names of folders that are written in one way only, but for escape sequences.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// folder returns the folder; the zero value if it cannot have siblings.
func (s *Siblings) folder() folder {
	if s == nil || !plainName.MatchString(path.Base(s.Folder)) {
		return folder{}
	}
	return folder{s.Folder, path.Base(s.Folder)}
}

// digest identifies the requests of a folder and its siblings.
func (s *Siblings) digest(scope string, r protocol.Request) (Digest, bool) {
	if s.folder().path == "" || r.Kustomize == nil || r.Kustomize.Dir != s.Folder {
		return Digest{}, false
	}
	own := *r.Kustomize
	own.Dir = ownFolder
	parts := [][]byte{[]byte(scope), []byte(path.Dir(s.Folder)), s.Content}
	return requestDigest("siblings "+string(bytes.Join(parts, []byte("\x00"))), protocol.Request{Kustomize: &own})
}

// relative returns a path with ownFolder for the folder.
func (f folder) relative(name string) string {
	if rest, within := strings.CutPrefix(name, f.path); within && (rest == "" || rest[0] == '/') {
		return ownFolder + rest
	}
	return name
}

// absolute is the inverse of relative.
func (f folder) absolute(name string) string {
	if rest, within := strings.CutPrefix(name, ownFolder); within {
		return f.path + rest
	}
	return name
}

// relativeRead returns a read relative to the folder. It is false if the answer can contain the name of the folder.
func (f folder) relativeRead(r Read, a protocol.Answer) (Read, bool) {
	if f.path == "" || f.isIn(a.Data) {
		return Read{}, false
	}
	r.Query.Path = f.relative(r.Query.Path)
	own := f.relative(a.Path)
	if own == a.Path && a.Error == "" {
		return r, true
	}
	a.Path = own
	if a.Error != "" {
		a.Error = "error" // its text has the path of the folder
	}
	return readOf(r.Query, a), true
}

// escapes are the escape sequences of YAML and JSON with which a name can be written so that no search finds it.
var escapes = [][]byte{[]byte(`\x`), []byte(`\u`), []byte(`\U`), []byte("\\\n"), []byte("\\\r")}

// isIn reports whether a text can contain the name of the folder.
func (f folder) isIn(text []byte) bool {
	for _, escape := range escapes {
		if bytes.Contains(text, escape) {
			return true
		}
	}
	return bytes.Contains(text, []byte(f.name))
}
