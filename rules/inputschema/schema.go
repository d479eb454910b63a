// Package inputschema holds the JSON Schema of what a rule gets as `input`.
package inputschema

import (
	"bytes"
	_ "embed"
	"encoding/json"
)

//go:embed input.json
var text []byte

// Text returns the schema as JSON.
func Text() []byte { return bytes.Clone(text) }

// Without returns the schema without some properties of the input.
func Without(properties ...string) any {
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	known, _ := schema["properties"].(map[string]any)
	for _, name := range properties {
		delete(known, name)
	}
	return schema
}
