// Package parameters checks the parameters of rules of users against the schemas in their METADATA.
package parameters

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
	"github.com/open-policy-agent/opa/v1/util"

	"github.com/salint/salint/internal/base/nearest"
)

// schema is the part of a JSON Schema that is read here.
type schema struct {
	Type       string                     `json:"type"`
	Properties map[string]json.RawMessage `json:"properties"`
	// Definitions and Defs are what its references lead to.
	Definitions map[string]json.RawMessage `json:"definitions,omitempty"`
	Defs        map[string]json.RawMessage `json:"$defs,omitempty"`
}

// Schema checks the JSON Schema of parameters, and returns it; nil for a rule without parameters. It must be that of an object whose
// properties are listed, because a misspelled parameter must not be ignored, and it must refer to nothing outside of itself.
func Schema(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var s schema
	if err := json.Unmarshal(raw, &s); err != nil || s.Type != "object" || len(s.Properties) == 0 {
		return nil, errors.New("write a JSON Schema with `type: object` and `properties`")
	}
	var whole any
	if err := util.UnmarshalJSON(raw, &whole); err != nil {
		return nil, err
	}
	if ref := foreignRef(whole); ref != "" {
		return nil, fmt.Errorf("$ref: %q: a schema can refer to its own definitions only, as in #/definitions/name", ref)
	}
	if err := checkKeywords(whole, root, false); err != nil {
		return nil, err
	}
	if _, ok := whole.(map[string]any)["additionalProperties"]; !ok {
		whole.(map[string]any)["additionalProperties"] = false
	}
	closeObjects(whole)
	closed, err := json.Marshal(whole)
	if err != nil {
		return nil, err
	}
	if _, err := mismatches(closed, map[string]any{}); err != nil {
		return nil, fmt.Errorf("the schema is invalid: %w", err)
	}
	return closed, checkDefaults(closed, s)
}

// checkDefaults requires defaults that the schema accepts: with another one, no parameters would be valid.
func checkDefaults(closed json.RawMessage, s schema) error {
	defaults, err := withDefaults(closed, nil)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(defaults)) {
		alone, err := json.Marshal(schema{Type: "object", Properties: map[string]json.RawMessage{name: s.Properties[name]}, Definitions: s.Definitions, Defs: s.Defs})
		if err != nil {
			return err
		}
		problems, err := mismatches(alone, map[string]any{name: defaults[name]})
		if err != nil {
			return err
		}
		if len(problems) > 0 {
			return fmt.Errorf("the default of %s is not accepted: %s", name, strings.Join(problems, "; "))
		}
	}
	return nil
}

// foreignRef returns a reference of a schema that leads out of it; "" if there is none.
func foreignRef(value any) string {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			ref, is := value[key].(string)
			if is && (key == "$ref" || key == "$id" || key == "id" || key == "$dynamicRef") && !strings.HasPrefix(ref, "#") {
				return ref
			}
			if found := foreignRef(value[key]); found != "" {
				return found
			}
		}
	case []any:
		for _, item := range value {
			if found := foreignRef(item); found != "" {
				return found
			}
		}
	}
	return ""
}

// Complete returns parameters with the defaults of a schema added. The error says what the schema does not accept.
func Complete(raw json.RawMessage, given map[string]any) (map[string]any, error) {
	if raw == nil {
		if len(given) > 0 {
			return nil, errors.New("the rule has no parameters: its METADATA declares them under custom.parameters")
		}
		return nil, nil
	}
	all, err := withDefaults(raw, given)
	if err != nil {
		return nil, err
	}
	problems, err := mismatches(raw, all)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, errors.New(strings.Join(problems, "; "))
	}
	return all, nil
}

func withDefaults(raw json.RawMessage, given map[string]any) (map[string]any, error) {
	var s schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	all := maps.Clone(given)
	if all == nil {
		all = map[string]any{}
	}
	for name, property := range s.Properties {
		var p struct {
			Default json.RawMessage `json:"default"`
		}
		if _, set := all[name]; set || json.Unmarshal(property, &p) != nil || p.Default == nil {
			continue
		}
		var value any
		if err := util.NewJSONDecoder(bytes.NewReader(p.Default)).Decode(&value); err != nil {
			return nil, err
		}
		all[name] = value
	}
	return all, nil
}

// mismatches returns what a schema does not accept of a value. The error is about the schema.
func mismatches(raw json.RawMessage, value map[string]any) (problems []string, err error) {
	document, err := ast.InterfaceToValue(value)
	if err != nil {
		return nil, err
	}
	var result *ast.Term
	match := topdown.GetBuiltin("json.match_schema")
	args := []*ast.Term{ast.NewTerm(document), ast.StringTerm(string(raw))}
	err = match(topdown.BuiltinContext{Context: context.Background()}, args, func(t *ast.Term) error {
		result = t
		return nil
	})
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "eval_builtin_error: "), "json.match_schema: "))
	}
	list, _ := result.Value.(*ast.Array)
	if list == nil || list.Len() != 2 {
		return nil, nil
	}
	found, _ := list.Elem(1).Value.(*ast.Array)
	found.Foreach(func(t *ast.Term) {
		object, _ := t.Value.(ast.Object)
		field, description := textOf(object, "field"), textOf(object, "desc")
		if strings.EqualFold(field, "(root)") {
			problems = append(problems, description+knownParameters(raw, description))
		} else {
			problems = append(problems, field+": "+description)
		}
	})
	slices.Sort(problems)
	return problems, nil
}

// knownParameters returns which parameter was meant, or all of them, for a description of one that does not exist; otherwise "".
func knownParameters(raw json.RawMessage, description string) string {
	name, is := strings.CutPrefix(description, "Additional property ")
	name, ends := strings.CutSuffix(name, " is not allowed")
	var s schema
	if !is || !ends || json.Unmarshal(raw, &s) != nil || len(s.Properties) == 0 {
		return ""
	}
	return ": " + nearest.Suggestion(name, slices.Sorted(maps.Keys(s.Properties)))
}

func textOf(object ast.Object, key string) string {
	if object == nil {
		return ""
	}
	if t := object.Get(ast.StringTerm(key)); t != nil {
		if s, is := t.Value.(ast.String); is {
			return string(s)
		}
	}
	return ""
}
