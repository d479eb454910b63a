package safetext

import (
	"path/filepath"
	"strings"
)

// WithoutDir shortens the names of files below a folder in a message to those relative to it.
func WithoutDir(text, dir string) string {
	dir = filepath.Clean(dir)
	if dir == filepath.Dir(dir) {
		return text // the root of a file system, or a relative path
	}
	text = " " + text
	for _, before := range []string{" ", "\n", "(", "\"", "`"} {
		for _, prefix := range []string{dir + string(filepath.Separator), filepath.ToSlash(dir) + "/"} {
			text = strings.ReplaceAll(text, before+prefix, before)
		}
	}
	return text[1:]
}
