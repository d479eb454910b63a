package jsonschema

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Validator validates texts with one schema.
type Validator struct{ schema *jsonschema.Schema }

// NewValidator compiles a schema. A strict one also rejects fields that the schema does not have, which the published one accepts because
// later versions add fields.
func NewValidator(text []byte, strict bool) (*Validator, error) {
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if strict {
		closeObjects(tree)
	}
	root, ok := tree.(map[string]any)
	id, _ := root["$id"].(string)
	if !ok || id == "" {
		return nil, fmt.Errorf("the schema has no $id")
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(id, tree); err != nil {
		return nil, err
	}
	schema, err := compiler.Compile(id)
	if err != nil {
		return nil, err
	}
	return &Validator{schema}, nil
}

// closeObjects makes objects with known properties accept no others.
func closeObjects(node any) {
	switch node := node.(type) {
	case map[string]any:
		if _, isObject := node["properties"].(map[string]any); isObject {
			if _, decided := node["additionalProperties"]; !decided {
				node["additionalProperties"] = false
			}
		}
		for _, child := range node {
			closeObjects(child)
		}
	case []any:
		for _, child := range node {
			closeObjects(child)
		}
	}
}

// Validate returns an error for a text that is not as the schema describes it, or no JSON.
func (v *Validator) Validate(text string) error {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return v.schema.Validate(value)
}
