package demo

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
)

//go:embed all:example
var example embed.FS

// Write copies the example repository into a folder.
func Write(dir string) error {
	files, err := fs.Sub(example, "example")
	if err != nil {
		return err
	}
	return fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		target := filepath.Join(dir, filepath.FromSlash(path))
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
}
