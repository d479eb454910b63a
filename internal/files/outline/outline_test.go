package outline

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// outlineOf lists the scalars of a document, and reports whether it is written plainly.
func outlineOf(document string) (lines []string, plain bool) {
	plain = Read([]byte(document), func(path [][]byte, value Scalar) {
		text := string(value.Text)
		if value.Block {
			text = "…"
		}
		lines = append(lines, fmt.Sprintf("%s=%s", bytes.Join(path, []byte("|")), text))
	})
	return lines, plain
}

func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"kind: Pod\nmetadata:\n  name: a # b\n":                         {"kind=Pod", "metadata|name=a"},
		"# c\n---\na:\nb: \"x y\"\nc: 'z'   # d\n":                      {"b=x y", "c=z"},
		"a:\n- b: 1\n  c:\n  - d\n  - e\n-   f: g\nh: i\n":              {"a|0|b=1", "a|0|c|0=d", "a|0|c|1=e", "a|1|f=g", "h=i"},
		"a:\n  - - x\n    - y\n  - b: z\n":                              {"a|0|0=x", "a|0|1=y", "a|1|b=z"},
		"a: [b, \"*\", {c: d, e: [1, -2]}]\nf: {}\ng: []\n":             {"a|0=b", "a|1=*", "a|2|c=d", "a|2|e|0=1", "a|2|e|1=-2"},
		"a: |\n  text: x\n\n  # no comment\nb: >-\n    y\n     z\nc: d": {"a=…", "b=…", "c=d"},
		"a:\n- |\n  x\n- y\n":                                           {"a|0=…", "a|1=y"},
		"args:\n  - --a=b:c\n  - $(X)\n  - nginx:1.2\n":                 {"args|0=--a=b:c", "args|1=$(X)", "args|2=nginx:1.2"},
	} {
		got, plain := outlineOf(text)
		if diff := cmp.Diff(want, got); diff != "" || !plain {
			t.Errorf("%q: plain is %v (-want +got):\n%s", text, plain, diff)
		}
	}
}

// TestReadRefuses lists documents that must be parsed.
func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a: &b c", "a: *b", "a: !!str b", "a: \"\\x61\"", "a: b\n  c", "a: 'b''c'", "a: {{ b }}", "a: ü", "\ta: b", "a: b\r\n",
		"\"a\": b", "? a\n: b", "a: b\na: c", "a: {b: c, b: d}", "a: b: c", "a: [b,\n c]", "a: [b c]", "a: [b,]", "a:\n  b",
		"  a: b", "a: |2\n   b", "a: |\n    b\n  c", "a: |\n   \n  b", "<<: {a: b}", "null: a", "a:\n- b\n c: d", "- a\nb: c", "a",
		"a: b:", "a:\n -\n", "%YAML 1.2\n---\na: b", "a: \"b\" c", "a: \"b\"#c", "a: - b", "a : b", "a: `b`", "a: b\n...\n", "{a: b}",
	} {
		if lines, plain := outlineOf(text); plain {
			t.Errorf("%q is read as plain: %v", text, lines)
		}
	}
}

// TestManyKeys reads a mapping of many keys, and finds one that is there twice.
func TestManyKeys(t *testing.T) {
	t.Parallel()
	text := "kind: A\n"
	for i := range 3000 {
		text += fmt.Sprintf("key%d: a\n", i)
	}
	for more, want := range map[string]bool{"": true, "other: a\n": true, "key7: a\n": false, "key2900: a\n": false} {
		if got := Read([]byte(text+more), func([][]byte, Scalar) {}); got != want {
			t.Errorf("with %q: plain is %v", more, got)
		}
	}
}
