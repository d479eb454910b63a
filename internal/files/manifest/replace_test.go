package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReplaceValue(t *testing.T) {
	t.Parallel()
	list, mapping := []any{"x", int64(2)}, map[string]any{"b": int64(1), "c": []any{"d"}}
	for name, c := range map[string]struct {
		path          string
		value         any
		before, after string
	}{
		"number":                   {"spec.a", int64(9007199254740993), "spec:\n  a: 1 # one\n  b: 2\n", "spec:\n  a: 9007199254740993 # one\n  b: 2\n"},
		"boolean for a text":       {"a", true, "a: 'false'\nb: 1\n", "a: true\nb: 1\n"},
		"text for a number":        {"a", "1", "a:   1\nb: 1\n", "a:   \"1\"\nb: 1\n"},
		"number for a block":       {"a", int64(1), "a: |\n  x\n  y\nb: 1\n", "a: 1\nb: 1\n"},
		"number for nothing":       {"a", int64(1), "a:\nb: 1\n", "a: 1\nb: 1\n"},
		"mapping for nothing":      {"a.e", mapping, "a:\n  e:\nb: 1\n", "a:\n  e:\n    b: 1\n    c:\n    - d\nb: 1\n"},
		"mapping for a number":     {"a", mapping, "a: 1\nb: 1\n", "a:\n  b: 1\n  c:\n  - d\nb: 1\n"},
		"number for a mapping":     {"spec.a", int64(3), "spec:\n  a:\n    b: 1\n  c: 1\n", "spec:\n  a: 3\n  c: 1\n"},
		"mapping for a mapping":    {"a", mapping, "a:\n    b: 2\n    e: 4\nz: 1\n", "a:\n  b: 1\n  c:\n  - d\nz: 1\n"},
		"list for a list":          {"spec.a", list, "spec:\n  a:\n    - y\n    - z\n  b: 1\n", "spec:\n  a:\n  - x\n  - 2\n  b: 1\n"},
		"empty list":               {"a", []any{}, "a:\n- y\nb: 1\n", "a: []\nb: 1\n"},
		"flow by a list":           {"a", list, "a: [y]\nb: 1\n", "a:\n- x\n- 2\nb: 1\n"},
		"in flow":                  {"spec.a", mapping, "spec: {a: 1, z: 2}\n", "spec: {a: {b: 1, c: [d]}, z: 2}\n"},
		"nothing in flow":          {"spec.a", int64(1), "spec: {a: , z: 2}\n", "spec: {a: 1 , z: 2}\n"},
		"item":                     {"a[1]", int64(1), "a:\n- x\n- y\n- z\n", "a:\n- x\n- 1\n- z\n"},
		"mapping for an item":      {"a[0]", mapping, "a:\n- x: 1\n  y: 2\n- z\n", "a:\n- {b: 1, c: [d]}\n- z\n"},
		"first field of an item":   {"a[0].x", int64(3), "a:\n- x: 1\n  y: 2\n", "a:\n- x: 3\n  y: 2\n"},
		"mapping in an item":       {"a[0].x", mapping, "a:\n- x: 1\n  y: 2\n", "a:\n- x:\n    b: 1\n    c:\n    - d\n  y: 2\n"},
		"JSON":                     {"spec.a", list, "{\n  \"spec\": {\n    \"a\": 1,\n    \"b\": 2\n  }\n}\n", "{\n  \"spec\": {\n    \"a\": [\"x\", 2],\n    \"b\": 2\n  }\n}\n"},
		"CRLF":                     {"a", mapping, "a: 1\r\nb: 1\r\n", "a:\r\n  b: 1\r\n  c:\r\n  - d\r\nb: 1\r\n"},
		"end without a line break": {"a", mapping, "a: 1", "a:\n  b: 1\n  c:\n  - d"},
		"null":                     {"a", nil, "a: 1\nb: 1\n", "a: null\nb: 1\n"},
		"key in quotes":            {"a", mapping, "\"a\": 1\nb: 1\n", "\"a\":\n  b: 1\n  c:\n  - d\nb: 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := parse(t, c.before)
			path, err := ParsePath(c.path)
			if err != nil {
				t.Fatal(err)
			}
			edit, err := d.ReplaceValue(path, c.value)
			if err != nil {
				t.Fatal(err)
			}
			after, err := Apply(d.File.Data, []Edit{edit})
			if diff := cmp.Diff(c.after, string(after)); err != nil || diff != "" {
				t.Errorf("%v: -want +got:\n%s", err, diff)
			}
		})
	}
}

func TestReplaceValueRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a: &x 1\nb: *x\n": "used by an alias", "a: !!int 1\n": "has an anchor or a tag", "b: 1\n": "does not exist",
		"a:\n  x: &y 1\nb: *y\n": "contains the anchor",
	} {
		_, err := parse(t, text).ReplaceValue(Path{"a"}, int64(2))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
