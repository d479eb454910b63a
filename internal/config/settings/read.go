package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/salint/salint/internal/files/manifest"
)

// maxFileSize bounds what is read of a configuration file.
const maxFileSize = 1 << 20

// Find gives the nearest configuration file in dir or a folder above it, as far as the root of the git repository;
// without one (gitRoot is ""), in dir only. It is "" when there is none. Both paths are absolute.
func Find(dir, gitRoot string) string {
	for {
		file := filepath.Join(dir, FileName)
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			return file
		}
		parent := filepath.Dir(dir)
		if gitRoot == "" || dir == gitRoot || parent == dir {
			return ""
		}
		dir = parent
	}
}

// Load reads a configuration file. Its errors are *Error and *manifest.SyntaxError, one for each mistake, joined.
func Load(path string) (*Config, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no configuration file %s: correct --config, or write one with `salint init`", path)
	}
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxFileSize {
		return nil, fmt.Errorf("configuration: %s is not a file of at most %d bytes", path, maxFileSize)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	return Parse(path, data)
}

// Parse reads the text of a configuration file, such as it was in another revision. The errors are those of Load.
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
		return nil, &Error{path, line, column, "a configuration file has one document only"}
	}
	if !doc.Root.IsNull() {
		d.config(c)(doc.Root)
	}
	return c, d.err()
}
