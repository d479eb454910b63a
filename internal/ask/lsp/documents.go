package lsp

import (
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

// document is an open document. It is never changed: a change makes a new one.
type document struct {
	uri     string
	version int
	text    *text
	// repository and name are where the document is; repository is nil for one that is not checked, for the reason in refused.
	repository *repository
	name       string
	refused    string
	// unsynced is why the text is unknown: the editor sent a change that cannot be applied. A full text ends that.
	unsynced string
}

// bytes returns the text as the content of a file.
func (d *document) bytes() []byte { return []byte(d.text.content) }

// pathOf returns the path of a file: URI.
func pathOf(uri string) (string, error) {
	u, err := url.Parse(uri)
	switch {
	case err != nil:
		return "", fmt.Errorf("%q is not a URI", uri)
	case u.Scheme != "file":
		return "", fmt.Errorf("%s is not a file", uri)
	case u.Host != "" && u.Host != "localhost":
		return "", fmt.Errorf("%s is on another machine", uri)
	case strings.ContainsRune(u.Path, 0):
		return "", fmt.Errorf("%q is not the name of a file", uri)
	}
	file := u.Path
	if runtime.GOOS == "windows" && len(file) > 2 && file[0] == '/' && file[2] == ':' {
		file = file[1:]
	}
	if !filepath.IsAbs(filepath.FromSlash(file)) {
		return "", fmt.Errorf("%s is not absolute", uri)
	}
	return filepath.Clean(filepath.FromSlash(file)), nil
}

// uriOf returns the file: URI of an absolute path.
func uriOf(file string) string {
	file = filepath.ToSlash(file)
	if !strings.HasPrefix(file, "/") {
		file = "/" + file
	}
	return (&url.URL{Scheme: "file", Path: file}).String()
}

// isBelow reports whether a path is a folder or in it.
func isBelow(folder, file string) bool {
	rel, err := filepath.Rel(folder, file)
	return err == nil && filepath.IsLocal(rel)
}
