package parameters

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/nearest"
)

// The keywords of a JSON Schema by what their values hold: a schema, a list of schemas, schemas by name, or none of these. They are those
// of draft 7, which the validator of OPA evaluates: it ignores all others.
//
// Source: https://json-schema.org/draft-07/json-schema-validation
var (
	schemaKeywords = []string{"additionalProperties", "additionalItems", "propertyNames", "contains", "not", "if", "then", "else"}
	listKeywords   = []string{"allOf", "anyOf", "oneOf"}
	mapKeywords    = []string{"properties", "patternProperties", "definitions", "$defs"}
	plainKeywords  = []string{
		"$schema", "$id", "$ref", "$comment", "title", "description", "default", "examples", "readOnly", "writeOnly", "type", "enum", "const", "format", "pattern",
		"minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems",
		"minProperties", "maxProperties", "required", "dependencies", "items",
	}
	allKeywords = slices.Concat(schemaKeywords, listKeywords, mapKeywords, plainKeywords)
	// besideRef are the keywords that have an effect beside $ref.
	besideRef = []string{"$ref", "$comment", "title", "description", "default", "definitions", "$defs", "$schema", "$id"}
	// formats are those that the validator checks.
	formats = []string{
		"date", "time", "date-time", "hostname", "email", "idn-email", "ipv4", "ipv6", "uri", "uri-reference", "iri", "iri-reference", "uri-template", "uuid",
		"regex", "json-pointer", "relative-json-pointer",
	}
)

// checkKeywords returns the first mistake in a schema with which it accepts more than it should: a misspelled keyword is ignored by the
// validator. The path is that of the schema in the METADATA; isParameter is set for the schema of a parameter itself.
func checkKeywords(value any, path string, isParameter bool) error {
	schema, is := value.(map[string]any)
	if !is {
		if _, isBool := value.(bool); isBool {
			return nil
		}
		return fmt.Errorf("%s must be a JSON Schema, as in {type: string}", path)
	}
	_, isRef := schema["$ref"]
	for _, key := range slices.Sorted(maps.Keys(schema)) {
		at := path + "." + key
		switch {
		case !slices.Contains(allKeywords, key):
			return fmt.Errorf("%s is not a keyword of JSON Schema (draft 7): %s", at, suggestion(key))
		case isRef && !slices.Contains(besideRef, key):
			return fmt.Errorf("%s has no effect beside $ref: write it into the definition", at)
		case key == "default" && !isParameter:
			return fmt.Errorf("%s has no effect: only a parameter itself can have a default", at)
		}
		if err := checkKeyword(key, schema[key], at, path == root); err != nil {
			return err
		}
	}
	return checkRequired(schema, path)
}

// root is the path of the schema of all parameters.
const root = "custom.parameters"

func suggestion(key string) string {
	if meant := nearest.Name(key, allKeywords); meant != "" {
		return "did you mean " + meant + "?"
	}
	return "it has no effect"
}

func checkKeyword(key string, value any, at string, inRoot bool) error {
	switch {
	case slices.Contains(schemaKeywords, key):
		return checkKeywords(value, at, false)
	case key == "items":
		if list, is := value.([]any); is {
			return checkList(list, at)
		}
		return checkKeywords(value, at, false)
	case slices.Contains(listKeywords, key):
		list, is := value.([]any)
		if !is {
			return fmt.Errorf("%s must be a list of schemas", at)
		}
		return checkList(list, at)
	case slices.Contains(mapKeywords, key):
		return checkMap(key, value, at, inRoot && key == "properties")
	case key == "pattern":
		return checkPattern(value, at)
	case key == "format":
		if text, is := value.(string); !is || !slices.Contains(formats, text) {
			return fmt.Errorf("%s: %v is not checked: use one of %s, or a pattern", at, value, strings.Join(formats, ", "))
		}
	}
	return nil
}

func checkList(list []any, at string) error {
	for i, item := range list {
		if err := checkKeywords(item, fmt.Sprintf("%s[%d]", at, i), false); err != nil {
			return err
		}
	}
	return nil
}

func checkMap(key string, value any, at string, areParameters bool) error {
	schemas, is := value.(map[string]any)
	if !is {
		return fmt.Errorf("%s must be a mapping of names to schemas", at)
	}
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		if key == "patternProperties" {
			if err := checkPattern(name, at); err != nil {
				return err
			}
		}
		if err := checkKeywords(schemas[name], at+"."+name, areParameters); err != nil {
			return err
		}
	}
	return nil
}

// checkPattern requires a regular expression of Go, which the validator uses: other dialects also have lookaheads and backreferences.
func checkPattern(value any, at string) error {
	text, is := value.(string)
	if !is {
		return fmt.Errorf("%s must be a regular expression", at)
	}
	if _, err := regexp.Compile(text); err != nil {
		return fmt.Errorf("%s: %w (the syntax is RE2, as in Rego)", at, err)
	}
	return nil
}

// checkRequired requires that required names are among the properties: no value could be valid otherwise, or the name is misspelled.
func checkRequired(schema map[string]any, path string) error {
	required, _ := schema["required"].([]any)
	properties, closed := schema["properties"].(map[string]any)
	_, byPattern := schema["patternProperties"]
	if !closed || byPattern {
		return nil
	}
	for _, item := range required {
		name, _ := item.(string)
		if _, known := properties[name]; !known {
			return fmt.Errorf("%s.required: there is no property %s: %s", path, name, nearest.Suggestion(name, slices.Sorted(maps.Keys(properties))))
		}
	}
	return nil
}

// closeObjects refuses properties of objects that a schema does not list, as for the parameters themselves: a misspelled one must not be ignored.
// It follows properties and items, and not alternatives, in which others list more.
func closeObjects(value any) {
	schema, is := value.(map[string]any)
	if !is {
		return
	}
	if properties, lists := schema["properties"].(map[string]any); lists {
		if _, said := schema["additionalProperties"]; !said && !hasAny(schema, listKeywords) && !hasAny(schema, []string{"if", "$ref"}) {
			schema["additionalProperties"] = false
		}
		for _, property := range properties {
			closeObjects(property)
		}
	}
	closeObjects(schema["items"])
}

func hasAny(schema map[string]any, keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { _, has := schema[key]; return has })
}
