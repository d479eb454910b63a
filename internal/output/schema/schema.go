package schema

import (
	"embed"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/rules/builtins"
	"github.com/salint/salint/rules/inputschema"
	"github.com/salint/salint/rules/policy"
)

//go:embed *.json
var files embed.FS

// The schemas that other packages hold: config is that of .salint.yaml, input that of the input of rules, and capabilities are those
// that OPA's tools read.
const (
	config       = "config"
	input        = "input"
	capabilities = "capabilities"
)

// Names returns the names of all schemas, sorted.
func Names() []string {
	names := []string{config, input, capabilities}
	entries, _ := files.ReadDir(".") // the files are part of the program
	for _, entry := range entries {
		names = append(names, strings.TrimSuffix(entry.Name(), path.Ext(entry.Name())))
	}
	slices.Sort(names)
	return names
}

// Text returns a schema. The error suggests the nearest name.
func Text(name string) ([]byte, error) {
	switch name {
	case config:
		return settings.Schema(), nil
	case input:
		return inputschema.Text(), nil
	case capabilities:
		text, err := json.MarshalIndent(policy.Capabilities(builtins.All()), "", "  ")
		return append(text, '\n'), err
	}
	if !slices.Contains(Names(), name) {
		return nil, nearest.Unknown("schema", name, Names())
	}
	return files.ReadFile(name + ".json")
}
