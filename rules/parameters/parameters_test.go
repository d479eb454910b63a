package parameters

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSchema(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``: "", `null`: "", `{"type": "object", "properties": {"a": {"type": "string"}}}`: "",
		`{"type": "object", "properties": {"a": {"$ref": "#/definitions/b"}}, "definitions": {"b": {}}}`: "",
		`{"type": "object"}`: "write a JSON Schema", `[]`: "write a JSON Schema", `{"type": "array", "properties": {"a": {}}}`: "write a JSON Schema",
		`{"type": "object", "properties": {"a": {"type": "text"}}}`:                       "the schema is invalid",
		`{"type": "object", "properties": {"a": {"$ref": "file:///etc/passwd"}}}`:         "its own definitions only",
		`{"type": "object", "properties": {"a": {"anyOf": [{"$ref": "https://a.b/c"}]}}}`: "its own definitions only",
		`{"type": "object", "properties": {"a": {"$id": "https://a.b/c"}}}`:               "its own definitions only",

		`{"type": "object", "properties": {"a": {"type": "string", "patern": "^a"}}}`:                                                                       "custom.parameters.properties.a.patern is not a keyword of JSON Schema (draft 7): did you mean pattern?",
		`{"type": "object", "requird": ["a"], "properties": {"a": {}}}`:                                                                                     "custom.parameters.requird is not a keyword",
		`{"type": "object", "properties": {"a": {"items": {"minimun": 1}}}}`:                                                                                "custom.parameters.properties.a.items.minimun is not",
		`{"type": "object", "properties": {"a": {"anyOf": [{}, {"enums": []}]}}}`:                                                                           "custom.parameters.properties.a.anyOf[1].enums is not",
		`{"type": "object", "properties": {"a": {"prefixItems": []}}}`:                                                                                      "prefixItems is not a keyword of JSON Schema (draft 7): it has no effect",
		`{"type": "object", "properties": {"a": {"pattern": "^(?!x)"}}}`:                                                                                    "custom.parameters.properties.a.pattern: error parsing regexp",
		`{"type": "object", "properties": {"a": {"items": {"pattern": "a["}}}}`:                                                                             "custom.parameters.properties.a.items.pattern: error parsing regexp",
		`{"type": "object", "properties": {"a": {"patternProperties": {"a[": {}}}}}`:                                                                        "error parsing regexp",
		`{"type": "object", "properties": {"a": {"format": "ip"}}}`:                                                                                         "custom.parameters.properties.a.format: ip is not checked",
		`{"type": "object", "required": ["b"], "properties": {"a": {}}}`:                                                                                    "custom.parameters.required: there is no property b: did you mean a?",
		`{"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"default": 1}}}}}`:                                                  "b.default has no effect",
		`{"type": "object", "properties": {"a": {"type": "string", "default": 1}}}`:                                                                         "the default of a is not accepted",
		`{"type": "object", "properties": {"a": {"$ref": "#/definitions/b", "pattern": "a"}}, "definitions": {"b": {}}}`:                                    "has no effect beside $ref",
		`{"type": "object", "properties": {"a": "string"}}`:                                                                                                 "custom.parameters.properties.a must be a JSON Schema",
		`{"type": "object", "required": ["patern"], "properties": {"patern": {"type": "string", "pattern": "^[a-z]+$", "format": "date", "default": "a"}}}`: "the default of patern",
		`{"type": "object", "required": ["patern"], "properties": {"patern": {"type": "string", "pattern": "^[a-z]+$", "enum": ["a"], "default": "a"}, "b": {"items": [{}], "additionalItems": false}}}`: "",
		`{"type": "object", "properties": {"a": {"$ref": "#/definitions/b", "default": "x", "title": "A"}}, "definitions": {"b": {"type": "string"}}}`:                                                   "",
		`{"type": "object", "properties": {"a": {"$ref": "#/definitions/b", "default": 1}}, "definitions": {"b": {"type": "string"}}}`:                                                                   "the default of a is not accepted",
	} {
		_, err := Schema(json.RawMessage(text))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	schema, err := Schema(json.RawMessage(`{"type": "object", "required": ["names"], "properties": {"names": {"type": "array"}, "most": {"type": "integer", "default": 3}}}`))
	if err != nil {
		t.Fatal(err)
	}
	nested, err := Schema(json.RawMessage(`{"type": "object", "properties": {
		"a": {"type": "object", "properties": {"b": {}}}, "l": {"type": "array", "items": {"properties": {"c": {}}}}, "open": {"type": "object"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		schema      json.RawMessage
		given, want map[string]any
		err         string
	}{
		{schema, map[string]any{"names": []any{"a"}}, map[string]any{"names": []any{"a"}, "most": json.Number("3")}, ""},
		{schema, map[string]any{"names": []any{}, "most": int64(5)}, map[string]any{"names": []any{}, "most": int64(5)}, ""},
		{schema, nil, nil, "names is required"},
		{schema, map[string]any{"names": "a"}, nil, "names: Invalid type"},
		{schema, map[string]any{"names": []any{}, "least": int64(1)}, nil, "least is not allowed"},
		{nested, map[string]any{"a": map[string]any{"bb": "x"}}, nil, "bb is not allowed"},
		{nested, map[string]any{"a": map[string]any{"b": "x"}, "l": []any{map[string]any{"c": "x"}}}, map[string]any{"a": map[string]any{"b": "x"}, "l": []any{map[string]any{"c": "x"}}}, ""},
		{nested, map[string]any{"l": []any{map[string]any{"d": "x"}}}, nil, "d is not allowed"},
		{nested, map[string]any{"open": map[string]any{"x": "y"}}, map[string]any{"open": map[string]any{"x": "y"}}, ""},
		{nil, nil, nil, ""},
		{nil, map[string]any{"names": []any{}}, nil, "the rule has no parameters"},
	} {
		got, err := Complete(test.schema, test.given)
		if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%v: %v, want %q", test.given, err, test.err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" && err == nil {
			t.Errorf("%v: %s", test.given, diff)
		}
	}
}
