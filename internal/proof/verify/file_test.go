package verify

import (
	"strings"
	"testing"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
)

// Edits that differ from the declaration are rejected.
func TestCheckFile(t *testing.T) {
	t.Parallel()
	at := func(text string) manifest.Path {
		p, err := manifest.ParsePath(text)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	remove := func(path string) engine.Change { return engine.Change{Op: engine.RemoveValue, Path: at(path)} }
	for name, c := range map[string]struct {
		before, after string
		changes       []engine.Change
		documents     []engine.Document
		want          string // part of the error; "" for none
	}{
		"as declared":             {"a: 1\nb: 2\n", "b: 2\n", []engine.Change{remove("a")}, nil, ""},
		"another value too":       {"a: 1\nb: 2\n", "b: 3\n", []engine.Change{remove("a")}, nil, "b would differ from the declared change: change it by hand"},
		"another type":            {"a: 1\nb: 2\n", "b: \"2\"\n", []engine.Change{remove("a")}, nil, "b would differ from the declared change: change it by hand"},
		"another key too":         {"a: 1\nb: 2\nc: 3\n", "b: 2\n", []engine.Change{remove("a")}, nil, "it would differ from the declared change: change it by hand"},
		"the wrong key":           {"a: 1\nb: 2\n", "a: 1\n", []engine.Change{remove("a")}, nil, "would differ from the declared change: change it by hand"},
		"the order":               {"a: 1\nb: 2\nc: 3\n", "c: 3\nb: 2\n", []engine.Change{remove("a")}, nil, "would differ from the declared change: change it by hand"},
		"no longer YAML":          {"a: 1\nb: 2\n", "b: [2\n", []engine.Change{remove("a")}, nil, "cannot be read"},
		"what does not exist":     {"a: 1\n", "a: 1\n", []engine.Change{remove("b")}, nil, "b does not exist"},
		"nothing was declared":    {"a: 1\n---\nb: 2\n", "a: 1\n---\nb: 3\n", nil, nil, "document 2: it changed"},
		"a comment elsewhere":     {"a: 1\n---\nb: 2 # x\n", "---\nb: 2\n", []engine.Change{{Op: engine.RemoveDocument}}, nil, "document 2: it changed"},
		"a document too many":     {"a: 1\n---\nb: 2\n---\nc: 3\n", "c: 3\n", []engine.Change{{Op: engine.RemoveDocument}}, nil, "it would have 1 document instead of 2: change it by hand"},
		"null in place of a list": {"a:\n- b\n", "a:\n", []engine.Change{remove("a[0]")}, nil, "a would differ from the declared change: change it by hand"},
		"items from the end": {
			"a: [x, y, z]\n", "a: [y]\n", []engine.Change{remove("a[0]"), remove("a[2]")}, nil, "",
		},
		"items inside of items": {
			"a: [{b: [1, 2, 3]}, {b: [4, 5]}, x]\n", "a: [{b: [1, 2]}, {b: [5]}]\n",
			[]engine.Change{remove("a[0].b[2]"), remove("a[1].b[0]"), remove("a[2]")}, nil, "",
		},
		"an alias": {
			"x: &x {a: 1, b: 2}\ny: *x\n", "x: &x {b: 2}\ny: *x\n", []engine.Change{remove("x.a")}, nil, "y would differ from the declared change: change it by hand",
		},
		"a merge key brings it back": {
			"x: &x {a: 1}\ny: {<<: *x, a: 2}\n", "x: &x {a: 1}\ny: {<<: *x}\n", []engine.Change{remove("y.a")}, nil, "y would differ from the declared change: change it by hand",
		},
		"added": {
			"a: 1\nc: 3\n", "a: 1\nb: {d: x, e: [y]}\nc: 3\n",
			[]engine.Change{{Op: engine.AddField, Path: at("b"), After: "a", Value: map[string]any{"d": "x", "e": []any{"y"}}}}, nil, "",
		},
		"added in the wrong place": {
			"a: 1\nc: 3\n", "a: 1\nc: 3\nb: x\n",
			[]engine.Change{{Op: engine.AddField, Path: at("b"), After: "a", Value: "x"}}, nil, "would differ from the declared change: change it by hand",
		},
		"added as another type": {
			"a: x\n", "a: x\nb: 1\n", []engine.Change{{Op: engine.AddField, Path: at("b"), Value: "1"}}, nil, "b would differ from the declared change: change it by hand",
		},
		"added where it is": {"a: 1\n", "a: 1\n", []engine.Change{{Op: engine.AddField, Path: at("a"), Value: "1"}}, nil, "a is not in the state"},
		"added to a scalar": {"a: 1\n", "a: 1\n", []engine.Change{{Op: engine.AddField, Path: at("a.b"), Value: "1"}}, nil, "not in a mapping"},
		"replaced": {
			"a:\nb: 1\n", "b: 1\na: x\n", []engine.Change{{Op: engine.ReplaceField, Path: at("a"), After: "b", Value: "x"}}, nil, "",
		},
		"renamed":              {"a: 'x'\nb: 1\n", "c: 'x'\nb: 1\n", []engine.Change{{Op: engine.RenameField, Path: at("a"), Value: "c"}}, nil, ""},
		"renamed and moved":    {"a: x\nb: 1\n", "b: 1\nc: x\n", []engine.Change{{Op: engine.RenameField, Path: at("a"), Value: "c"}}, nil, "would differ from the declared change: change it by hand"},
		"renamed to another":   {"a: x\n", "d: x\n", []engine.Change{{Op: engine.RenameField, Path: at("a"), Value: "c"}}, nil, "would differ from the declared change: change it by hand"},
		"renamed with another": {"a: x\n", "c: y\n", []engine.Change{{Op: engine.RenameField, Path: at("a"), Value: "c"}}, nil, "c would differ from the declared change: change it by hand"},
		"renamed onto another": {"a: x\nc: y\n", "c: x\n", []engine.Change{{Op: engine.RenameField, Path: at("a"), Value: "c"}}, nil, "is not in the state"},
		"renamed nothing":      {"b: x\n", "c: x\n", []engine.Change{{Op: engine.RenameField, Path: at("a"), Value: "c"}}, nil, "is not in the state"},
		"set":                  {"a: 'x'\n", "a: 'y'\n", []engine.Change{{Op: engine.SetText, Path: at("a"), Value: "y"}}, nil, ""},
		"set to another":       {"a: 'x'\n", "a: 'z'\n", []engine.Change{{Op: engine.SetText, Path: at("a"), Value: "y"}}, nil, "a would differ from the declared change: change it by hand"},
		"appended":             {"a: [x]\n", "a: [x, y]\n", []engine.Change{{Op: engine.AppendItem, Path: at("a"), Value: "y"}}, nil, ""},
		"appended to null":     {"a:\n", "a:\n- y\n", []engine.Change{{Op: engine.AppendItem, Path: at("a"), Value: "y"}}, nil, ""},
		"appended twice":       {"a: [x]\n", "a: [x, y, y]\n", []engine.Change{{Op: engine.AppendItem, Path: at("a"), Value: "y"}}, nil, "a would differ from the declared change: change it by hand"},
		"appended to text":     {"a: x\n", "a: x\n", []engine.Change{{Op: engine.AppendItem, Path: at("a"), Value: "y"}}, nil, "a is not a list"},
		"generated": {
			"", "kind: A\nmetadata:\n  name: b\n", nil,
			[]engine.Document{{Object: engine.ObjectName{Kind: "A", Name: "b"}, Text: "kind: A\nmetadata: {name: b}\n"}}, "",
		},
		"generated otherwise": {
			"", "kind: A\nmetadata:\n  name: b\n", nil,
			[]engine.Document{{Object: engine.ObjectName{Kind: "A", Name: "b"}, Text: "kind: A\nmetadata: {name: c}\n"}}, "written differently",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			change := engine.FileChange{
				Path: "x.yaml", Before: []byte(c.before), After: []byte(c.after), Changes: c.changes, Documents: c.documents,
			}
			_, err := checkFile(change)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestCheckFileThatGoes(t *testing.T) {
	t.Parallel()
	gone := engine.FileChange{Path: "x.yaml", Before: []byte("a: 1\n---\nb: 2\n"), Changes: []engine.Change{{Op: engine.RemoveDocument}}}
	if _, err := checkFile(gone); err == nil {
		t.Error("a document was removed without a declaration")
	}
	gone.Changes = append(gone.Changes, engine.Change{Op: engine.RemoveDocument, Document: 1})
	if _, err := checkFile(gone); err != nil {
		t.Error(err)
	}
}

// A few lines that stand for billions of nodes, and an anchor that contains itself, are rejected.
func TestAliasBombs(t *testing.T) {
	t.Parallel()
	bomb := "x0: &x0 [a, a, a, a, a, a, a, a, a, a]\n"
	for i := range 9 {
		previous := string(rune('0' + i))
		bomb += "x" + string(rune('1'+i)) + ": &x" + string(rune('1'+i)) + " [" + strings.Repeat("*x"+previous+", ", 9) + "*x" + previous + "]\n"
	}
	for _, text := range []string{bomb, "x: &x\n  y: *x\n"} {
		change := engine.FileChange{
			Path: "x.yaml", Before: []byte("a: 1\n" + text), After: []byte(text),
			Changes: []engine.Change{{Op: engine.RemoveValue, Path: manifest.Path{"a"}}},
		}
		if _, err := checkFile(change); err == nil {
			t.Errorf("%.20q… was compared", text)
		}
	}
}
