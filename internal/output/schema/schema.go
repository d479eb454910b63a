package schema

import (
	"embed"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/config/settings"
)

//go:embed *.json
var files embed.FS

// config is the schema of .salint.yaml, which has its own package.
const config = "config"

// Names returns the names of all schemas, sorted.
func Names() []string {
	names := []string{config}
	entries, _ := files.ReadDir(".") // the files are part of the program
	for _, entry := range entries {
		names = append(names, strings.TrimSuffix(entry.Name(), path.Ext(entry.Name())))
	}
	slices.Sort(names)
	return names
}

// Text returns a schema. The error suggests the nearest name.
func Text(name string) ([]byte, error) {
	if name == config {
		return settings.Schema(), nil
	}
	if !slices.Contains(Names(), name) {
		return nil, nearest.Unknown("schema", name, Names())
	}
	return files.ReadFile(name + ".json")
}
