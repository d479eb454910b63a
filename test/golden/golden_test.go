package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const example = "why this case exists\n-- cmd --\nlint\n-- in/empty.yaml --\n-- in/a b.yaml --\n-- a: 1\n--- --\n-- out --\nno findings\n"

func TestArchiveIsReadAndWrittenExactly(t *testing.T) {
	t.Parallel()
	a, err := parseArchive(example)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"cmd": "lint\n", "in/empty.yaml": "", "in/a b.yaml": "-- a: 1\n--- --\n", "out": "no findings\n"}
	if diff := cmp.Diff(want, a.files); diff != "" || a.comment != "why this case exists\n" {
		t.Errorf("comment %q, files (-want +got):\n%s", a.comment, diff)
	}
	if text, err := a.format(); err != nil || text != example {
		t.Errorf("error %v, text:\n%s", err, text)
	}
}

func TestArchiveErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"-- a --\n-- a --\n": "the archive has two files a",
		"-- a --\nb":         "the archive does not end with a newline",
	} {
		if _, err := parseArchive(text); err == nil || err.Error() != want {
			t.Errorf("%q: the error is %v, want %s", text, err, want)
		}
	}
}

func TestArchiveCannotHold(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"a":                "it does not end with a newline",
		"a\r\n":            "it has the character U+000D",
		"\ufeffa\n":        "it has the character U+FEFF",
		"\x1b[1ma\n":       "it has the character U+001B",
		"\xff\n":           "it is not UTF-8",
		"x\n-- out --\n":   `it has the line "-- out --"`,
		"\tß \"quoted\"\n": "",
		"":                 "",
	} {
		_, err := (&archive{names: []string{"x"}, files: map[string]string{"x": content}}).format()
		if want != "" {
			want = "an archive cannot hold x: " + want
		}
		if got := text(err); got != want {
			t.Errorf("%q: the error is %q, want %q", content, got, want)
		}
	}
	if _, err := (&archive{names: []string{"a\nb"}}).format(); err == nil {
		t.Error("a name of two lines is no error")
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// An archive and a folder of the same case are updated in the same way: inputs stay, outputs are replaced.
func TestUpdate(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s := Suite{Cases: filepath.Join(root, "*", "*"), Inputs: []string{"cmd", "in/"}, Outputs: []string{"out", "after/"}}
	WriteFolder(t, root, map[string]string{
		"g/archive.txtar":  "why\n-- cmd --\nlint\n-- in/a --\n1\n-- out --\nold\n-- after/b --\nold\n",
		"g/folder/comment": "why\n", "g/folder/cmd": "lint\n", "g/folder/in/a": "1", "g/folder/out": "old\n", "g/folder/after/b": "old\n",
	})
	if diff := cmp.Diff([]string{"g/archive", "g/folder"}, s.Names(t)); diff != "" {
		t.Fatal(diff)
	}
	outputs := map[string]string{"after/c": "new\n", "out": "new\n"}
	for _, name := range s.Names(t) {
		if comment := s.read(t, name).comment; comment != "why\n" {
			t.Errorf("%s: the comment is %q", name, comment)
		}
		s.update(t, name, s.read(t, name), outputs)
		if _, got := s.split(t, s.read(t, name)); !cmp.Equal(got, outputs) {
			t.Errorf("%s: the outputs are %v", name, got)
		}
	}
	got, err := os.ReadFile(filepath.Join(root, "g", "archive.txtar"))
	if want := "why\n-- cmd --\nlint\n-- in/a --\n1\n-- out --\nnew\n-- after/c --\nnew\n"; err != nil || string(got) != want {
		t.Errorf("error %v, archive:\n%s", err, got)
	}
	if got := ReadFolder(t, filepath.Join(root, "g", "folder")); got["in/a"] != "1" || strings.Contains(got["out"], "old") {
		t.Errorf("folder: %v", got)
	}
}

func TestIsUnknown(t *testing.T) {
	t.Parallel()
	names := []string{"fix/placeholder", "fix/placeholder-twice", "graph/small"}
	for name, want := range map[string]bool{
		"fix/placeholder": false, "fix/place": false, "ix/twice": false, "fix": false, "fix/.*": false, "fix/thanos/x": false, "fix/": false,
		"fix/thanos": true, "graph/placeholder": true,
	} {
		if got := isUnknown(name, names); got != want {
			t.Errorf("%s: isUnknown returns %v, want %v", name, got, want)
		}
	}
}
