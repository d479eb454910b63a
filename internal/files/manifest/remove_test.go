package manifest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func parse(t *testing.T, text string) *Document {
	t.Helper()
	f := Scan("test.yaml", []byte(text))
	if len(f.Docs) == 0 {
		t.Fatalf("no document in %q", text)
	}
	if err := f.Docs[0].Parse(); err != nil {
		t.Fatalf("parse %q: %v", text, err)
	}
	return f.Docs[0]
}

func TestRemoveField(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ path, before, after string }{
		"plain":                       {"spec.sa", "spec:\n  a: 1\n  sa:\n    name: x\n  b: 2\n", "spec:\n  a: 1\n  b: 2\n"},
		"first":                       {"spec.sa", "spec:\n  sa:\n    name: x\n  b: 2\n", "spec:\n  b: 2\n"},
		"last":                        {"spec.sa", "spec:\n  b: 2\n  sa:\n    name: x\n", "spec:\n  b: 2\n"},
		"last without break":          {"spec.sa", "spec:\n  b: 2\n  sa:\n    name: x", "spec:\n  b: 2"},
		"only":                        {"spec.sa", "spec:\n  sa:\n    name: x\nz: 1\n", "spec: {}\nz: 1\n"},
		"comment inside":              {"spec.sa", "spec:\n  sa:\n    # who\n    name: x # why\n  b: 2\n", "spec:\n  b: 2\n"},
		"comment above":               {"spec.sa", "spec:\n  a: 1\n  # who\n  # really\n  sa:\n    name: x\n  b: 2\n", "spec:\n  a: 1\n  b: 2\n"},
		"comment after a blank line":  {"spec.sa", "spec:\n  a: 1\n  # about a\n\n  sa:\n    name: x\n  b: 2\n", "spec:\n  a: 1\n  # about a\n\n  b: 2\n"},
		"comment of the next field":   {"spec.sa", "spec:\n  sa:\n    name: x\n  # about b\n  b: 2\n", "spec:\n  # about b\n  b: 2\n"},
		"comment below":               {"spec.sa", "spec:\n  sa:\n    name: x\n    # more\n\n      # deeper\n  b: 2\n", "spec:\n  b: 2\n"},
		"comment on key":              {"spec.sa", "spec:\n  sa: # here\n    name: x\n  b: 2\n", "spec:\n  b: 2\n"},
		"two blank lines":             {"spec.sa", "spec:\n  a: 1\n\n  sa:\n    name: x\n\n  b: 2\n", "spec:\n  a: 1\n\n  b: 2\n"},
		"last after a blank line":     {"spec.sa", "spec:\n  b: 2\n\n  # who\n  sa:\n    name: x\n---\nz: 1\n", "spec:\n  b: 2\n---\nz: 1\n"},
		"last, blank line, no break":  {"spec.sa", "spec:\r\n  b: 2\r\n\r\n  sa:\r\n    name: x", "spec:\r\n  b: 2"},
		"CRLF":                        {"spec.sa", "spec:\r\n  a: 1\r\n  sa:\r\n    name: x\r\n  b: 2\r\n", "spec:\r\n  a: 1\r\n  b: 2\r\n"},
		"CRLF last, no break":         {"spec.sa", "spec:\r\n  a: 1\r\n  sa:\r\n    name: x", "spec:\r\n  a: 1"},
		"BOM":                         {"sa", "\ufeffsa:\n  name: x\nb: 2\n", "\ufeffb: 2\n"},
		"tab in comment":              {"spec.sa", "spec:\n  sa:\n    name: x\t# a\ttab\n  #\tother\n  b: 2\n", "spec:\n  #\tother\n  b: 2\n"},
		"flow value":                  {"spec.sa", "spec:\n  sa: {name: x}\n  b: 2\n", "spec:\n  b: 2\n"},
		"flow first":                  {"spec.sa", "spec: {sa: {name: x}, b: 2}\n", "spec: {b: 2}\n"},
		"flow middle":                 {"spec.sa", "spec: {a: 1, sa: {name: x}, b: 2}\n", "spec: {a: 1, b: 2}\n"},
		"flow last":                   {"spec.sa", "spec: {a: 1, sa: {name: x}}\n", "spec: {a: 1}\n"},
		"flow only":                   {"spec.sa", "spec: { sa: {name: x} }\n", "spec: {}\n"},
		"flow, comment above":         {"sa", "{\n  a: 1, # a\n  # about sa\n  sa: {name: x},\n  b: 2\n}\n", "{\n  a: 1, # a\n  b: 2\n}\n"},
		"flow, comment behind":        {"sa", "{\n  a: 1, # a\n  sa: {name: x}, # sa\n  # about b\n  b: 2 # b\n}\n", "{\n  a: 1, # a\n  # about b\n  b: 2 # b\n}\n"},
		"flow, first, comments":       {"sa", "{ # top\n  # about sa\n  sa: {name: x}, # sa\n  b: 2\n}\n", "{ # top\n  b: 2\n}\n"},
		"flow, comment above others":  {"sa", "{\n  # group\n\n  sa: {name: x},\n  b: 2\n}\n", "{\n  # group\n\n  b: 2\n}\n"},
		"flow, last, comments":        {"sa", "{\n  a: 1, # a\n  # about sa\n  sa: {name: x} # sa\n}\n", "{\n  a: 1 # a\n}\n"},
		"flow, last, comma behind":    {"sa", "{\n  a: 1, # a\n  # about sa\n  sa: {name: x}, # sa\n}\n", "{\n  a: 1, # a\n}\n"},
		"flow, last, plain":           {"sa", "{\n  a: 1,\n  # about sa\n  sa: {name: x} # sa\n}\n", "{\n  a: 1\n}\n"},
		"flow, last, same bracket":    {"sa", "{a: 1, # one\n sa: 2}\n", "{a: 1 # one\n }\n"},
		"flow, last, CRLF":            {"sa", "{\r\n  a: 1, # a\r\n  # about sa\r\n  sa: 2 # sa\r\n}\r\n", "{\r\n  a: 1 # a\r\n}\r\n"},
		"flow items, comments":        {"items[1]", "items: [\n  a, # a\n  # about b\n  b, # b\n  c\n]\n", "items: [\n  a, # a\n  c\n]\n"},
		"flow, last, comma, one line": {"sa", "{a: 1, sa: 2,}\n", "{a: 1,}\n"},
		"flow, comma in a comment":    {"sa", "{a: 1,\n sa: 2 # no, last\n}\n", "{a: 1\n}\n"},
		"quoted keys":                 {"spec.sa", "\"spec\":\n  'a': 1\n  \"sa\":\n    \"name\": x\n", "\"spec\":\n  'a': 1\n"},
		"JSON middle":                 {"spec.sa", "{\n  \"spec\": {\n    \"a\": 1,\n    \"sa\": {\n      \"name\": \"x\"\n    },\n    \"b\": 2\n  }\n}\n", "{\n  \"spec\": {\n    \"a\": 1,\n    \"b\": 2\n  }\n}\n"},
		"JSON last":                   {"spec.sa", "{\n  \"spec\": {\n    \"a\": 1,\n    \"sa\": {\n      \"name\": \"x\"\n    }\n  }\n}\n", "{\n  \"spec\": {\n    \"a\": 1\n  }\n}\n"},
		"JSON on one line":            {"spec.sa", `{"spec":{"sa":{"name":"x"},"b":2}}`, `{"spec":{"b":2}}`},
		"in an item":                  {"items[0].sa", "items:\n- sa:\n    name: x\n  b: 2\n", "items:\n- b: 2\n"},
		"in an item, comment":         {"items[0].sa", "items:\n  - sa:\n      name: x\n    # about b\n    b: 2\n", "items:\n  - # about b\n    b: 2\n"},
		"only one of an item":         {"items[0].sa", "items:\n  - sa:\n      name: x\n  - c: 1\n", "items:\n  - {}\n  - c: 1\n"},
		"after block scalar":          {"spec.sa", "spec:\n  text: |\n    # no comment\n  sa:\n    name: x\n", "spec:\n  text: |\n    # no comment\n"},
		"item":                        {"items[1]", "items:\n# one\n- a\n# two\n- b # two\n- c\n", "items:\n# one\n- a\n- c\n"},
		"only item":                   {"items[0]", "items:\n- a\nz: 1\n", "items: []\nz: 1\n"},
		"flow item":                   {"items[1]", "items: [a, b, c]\n", "items: [a, c]\n"},
		"unicode":                     {"spec.sa", "spec:\n  é: \"\u2028ü\"\n  sa:\n    name: x\n  b: 2\n", "spec:\n  é: \"\u2028ü\"\n  b: 2\n"},
		"null":                        {"spec.sa", "spec:\n  a: 1\n  sa:\n  b: 2\n", "spec:\n  a: 1\n  b: 2\n"},
		"null at end":                 {"spec.sa", "spec:\n  a: 1\n  sa:", "spec:\n  a: 1"},
		"tilde":                       {"spec.sa", "spec:\n  sa: ~\n  b: 2\n", "spec:\n  b: 2\n"},
		"anchored elsewhere":          {"spec.sa", "x: &n foo\nspec:\n  sa:\n    name: *n\n  b: 2\n", "x: &n foo\nspec:\n  b: 2\n"},
		"anchor used inside":          {"spec.sa", "spec:\n  sa: {name: &n foo, o: *n}\n  b: 2\n", "spec:\n  b: 2\n"},
		"whole file":                  {"spec.sa", "spec:\n  a: 1\n  # who\n  # salint:ignore-file x/y why\n  # salint:ignore x/z why\n  sa:\n    name: x\n  b: 2\n", "spec:\n  a: 1\n  # salint:ignore-file x/y why\n  b: 2\n"},
		"whole file, on the key":      {"spec.sa", "spec:\n  a: |\n    1\n  sa: # salint:ignore-file x/y why\n    name: x\n    #salint:ignore-file x/z\n  b: 2\n", "spec:\n  a: |\n    1\n  # salint:ignore-file x/y why\n  #salint:ignore-file x/z\n  b: 2\n"},
		"whole file, only field":      {"spec.sa", "spec:\n  # salint:ignore-file x/y why\n  sa:\n    name: x\nz: 1\n", "spec: {}\n  # salint:ignore-file x/y why\nz: 1\n"},
		"whole file, no break":        {"spec.sa", "spec:\r\n  a: 1\r\n  # salint:ignore-file x/y why\r\n  sa: x", "spec:\r\n  a: 1\r\n  # salint:ignore-file x/y why"},
		"whole file, in an item":      {"items[0].sa", "items:\n- sa: # salint:ignore-file x/y why\n    name: x\n  b: 2\n", "items:\n- # salint:ignore-file x/y why\n  b: 2\n"},
		"whole file, in a string":     {"spec.sa", "spec:\n  sa: |\n    # salint:ignore-file x/y why\n  b: 2\n", "spec:\n  b: 2\n"},
		"marker":                      {"sa", "--- # doc\nsa: {name: x}\nb: 1\n", "--- # doc\nb: 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := parse(t, c.before)
			path, err := ParsePath(c.path)
			if err != nil {
				t.Fatal(err)
			}
			edit, err := d.RemoveField(path)
			if err != nil {
				t.Fatal(err, d.result().inexact)
			}
			after, err := Apply(d.File.Data, []Edit{edit})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.after, string(after)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
