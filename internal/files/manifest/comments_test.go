package manifest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
)

// TestMoveComments moves the field a below b, with its comments.
func TestMoveComments(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text  string
		value any
		want  string // "": refused
	}{
		"above and behind": {"# one\n#two\na: x # three\nb:\n  c: y\n", "x", "b:\n  c: y\n  # one\n  #two\n  a: x # three\n"},
		"no comment":       {"a: 'x # y'\nb:\n  c: y\n", "x # y", "b:\n  c: y\n  a: 'x # y'\n"},
		"line ends":        {"# one\r\na: x # two\r\nb:\r\n  c: y\r\n", "x", "b:\r\n  c: y\r\n  # one\r\n  a: x # two\r\n"},
		"of another":       {"b:\n  c: y # stays\n# one\na: x\n", "x", "b:\n  c: y # stays\n  # one\n  a: x\n"},
		"inside":           {"a: # one\n  # two\n  d: x # three\nb:\n  c: y\n", map[string]any{"d": "x"}, "b:\n  c: y\n  a: # one\n    # two\n    d: x # three\n"},
		"a list":           {"a: x # one\nb:\n  c: y\n", []any{"x"}, "b:\n  c: y\n  a:\n  - x # one\n"},
		"from braces":      {"a: {d: x} # one\nb:\n  c: y\n", map[string]any{"d": "x"}, "b:\n  c: y\n  a: # one\n    d: x\n"},
		"text of a block":  {"a: |\n  # text\nb:\n  c: y\n", "# text\n", "b:\n  c: y\n  a: |\n    # text\n"},
		"before a block":   {"a: | # one\n  text\nb:\n  c: y\n", "text\n", ""},
		"below":            {"a: x\n  # one\nb:\n  c: y\n", "x", ""},
		"within braces":    {"a: {\n  d: x # one\n}\nb:\n  c: y\n", map[string]any{"d": "x"}, ""},
		"into braces":      {"a: x # one\nb: {c: y}\n", "x", ""},
	} {
		got, err := moved(t, test.text, test.value)
		if (err != nil) != (test.want == "") {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func moved(t *testing.T, text string, value any) (string, error) {
	t.Helper()
	file := manifest.Scan("a.yaml", []byte(text))
	doc := file.Docs[0]
	if err := doc.Parse(); err != nil {
		t.Fatal(err)
	}
	comments, err := doc.CommentsOf(manifest.Path{"a"})
	if err != nil {
		return "", err
	}
	added, err := doc.AddCommentedField(manifest.Path{"b"}, "", "a", value, comments)
	if err != nil {
		return "", err
	}
	removed, err := doc.RemoveField(manifest.Path{"a"})
	if err != nil {
		t.Fatal(err)
	}
	edited, err := manifest.Apply(file.Data, []manifest.Edit{removed, added})
	return string(edited), err
}
