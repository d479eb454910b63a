package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/salint/salint/internal/files/manifest"
)

// maxFileSize is the largest configuration file that is read, in bytes.
const maxFileSize = 1 << 20

// Find returns the nearest configuration file in dir or a folder above it, up to the root of the git repository. If gitRoot
// is "", it searches dir only. It returns "" if there is none. Both paths are absolute. A symlink
// counts as a file, wherever it leads.
func Find(dir, gitRoot string) string {
	for {
		file := filepath.Join(dir, FileName)
		if info, err := os.Lstat(file); err == nil && !info.IsDir() {
			return file
		}
		parent := filepath.Dir(dir)
		if gitRoot == "" || dir == gitRoot || parent == dir {
			return ""
		}
		dir = parent
	}
}

// Load reads a configuration file with a function that reads a file up to a size in bytes, such as regular.ReadFile. Its
// errors are *Error and *manifest.SyntaxError, one for each mistake, joined.
func Load(path string, read func(file string, limit int64) ([]byte, error)) (*Config, error) {
	data, err := read(path, maxFileSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &missingError{path}
	}
	if err != nil {
		return nil, fmt.Errorf("configuration: %s: %w", path, err)
	}
	return Parse(path, data)
}

// missingError is the error for a configuration file that does not exist; it wraps fs.ErrNotExist.
type missingError struct{ path string }

func (e *missingError) Error() string {
	return fmt.Sprintf("configuration file %s does not exist: correct --config, or create one with `salint init`", e.path)
}

func (e *missingError) Unwrap() error { return fs.ErrNotExist }

// Parse reads the text of a configuration file, such as its text in another revision. The errors are those of Load.
func Parse(path string, data []byte) (*Config, error) {
	c := Default()
	c.Path = path
	d := &decoder{file: manifest.Scan(path, data)}
	if len(d.file.Docs) == 0 {
		return c, nil
	}
	doc := d.file.Docs[0]
	if err := doc.Parse(); err != nil {
		return nil, err
	}
	if len(d.file.Docs) > 1 {
		line, column := d.file.Position(d.file.Docs[1].Span.Start)
		return nil, &Error{path, line, column, "a configuration file must contain exactly one document"}
	}
	if !doc.Root.IsNull() {
		c.keysAt = map[string]position{}
		for _, f := range doc.Root.Fields() {
			c.keysAt[f.Key.String()] = d.at(f.Key)
		}
		d.config(c)(doc.Root)
	}
	return c, d.err()
}
