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
