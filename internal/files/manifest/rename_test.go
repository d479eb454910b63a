package manifest

import (
	"errors"
	"strings"
	"testing"
)

func TestRenameField(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ path, before, after string }{
		"plain":           {"spec.sa", "spec:\n  a: 1\n  sa: x # who\n  b: 2\n", "spec:\n  a: 1\n  san: x # who\n  b: 2\n"},
		"comments":        {"spec.sa", "spec:\n  # who\n  sa: # here\n    x\n", "spec:\n  # who\n  san: # here\n    x\n"},
		"space and colon": {"spec.sa", "spec:\n  sa : x\n", "spec:\n  san : x\n"},
		"single quotes":   {"spec.sa", "spec:\n  'sa': 'x'\n", "spec:\n  'san': 'x'\n"},
		"double quotes":   {"spec.sa", "spec:\n  \"sa\": x\n", "spec:\n  \"san\": x\n"},
		"escaped":         {"spec.sa", "spec:\n  \"s\\u0061\": x\n", "spec:\n  \"san\": x\n"},
		"flow":            {"spec.sa", "spec: {a: 1, sa: x}\n", "spec: {a: 1, san: x}\n"},
		"flow in quotes":  {"spec.sa", "spec: {a: 1, 'sa':x}\n", "spec: {a: 1, 'san':x}\n"},
		"JSON":            {"spec.sa", "{\"spec\":{\"sa\":\"x\"}}", "{\"spec\":{\"san\":\"x\"}}"},
		"anchored value":  {"spec.sa", "spec:\n  sa: &x y\n  z: *x\n", "spec:\n  san: &x y\n  z: *x\n"},
		"alias as value":  {"spec.sa", "x: &x y\nspec:\n  sa: *x\n", "x: &x y\nspec:\n  san: *x\n"},
		"null":            {"spec.sa", "spec:\n  sa:\n", "spec:\n  san:\n"},
		"after a dash":    {"items[0].sa", "items:\n- sa: x\n  b: 1\n", "items:\n- san: x\n  b: 1\n"},
		"CRLF":            {"sa", "\ufeffsa: x\r\nb: 1\r\n", "\ufeffsan: x\r\nb: 1\r\n"},
		"last":            {"spec.sa", "spec:\n  sa: x", "spec:\n  san: x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := parse(t, c.before)
			path, err := ParsePath(c.path)
			if err != nil {
				t.Fatal(err)
			}
			edit, err := d.RenameField(path, "san")
			if err != nil {
				t.Fatal(err)
			}
			after, err := Apply(d.File.Data, []Edit{edit})
			if err != nil || string(after) != c.after {
				t.Errorf("got %q and %v, want %q", after, err, c.after)
			}
		})
	}
}

func TestRenameFieldRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ path, text, want string }{
		"shared by an alias": {"one.sa", "one: &x\n  sa: a\ntwo: *x\n", "also used by an alias"},
		"in an alias":        {"two.sa", "one: &x\n  sa: a\ntwo: *x\n", "two.sa comes from an alias"},
		"comes from a merge": {"two.sa", "one: &x\n  sa: a\ntwo:\n  <<: *x\n  c: 1\n", "two.sa comes from a merge key"},
		"new key exists":     {"spec.sa", "spec:\n  sa: a\n  san: b\n", "spec.san already exists"},
		"anchored key":       {"spec.sa", "spec:\n  &k sa: a\n", "anchor or a tag"},
		"an item":            {"items[0]", "items:\n- a\n", "not in a mapping"},
		"missing":            {"spec.sa", "spec:\n  b: 1\n", "spec.sa does not exist"},
		"the document":       {"", "spec: 1\n", "no key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, err := ParsePath(c.path)
			if err != nil {
				t.Fatal(err)
			}
			edit, err := parse(t, c.text).RenameField(path, "san")
			var refused *RefusedError
			if !errors.As(err, &refused) || !strings.Contains(refused.Reason, c.want) {
				t.Errorf("got edit %v and error %v, want a refusal with %q", edit, err, c.want)
			}
		})
	}
}

// FuzzRename checks that a renaming changes one key and nothing else.
func FuzzRename(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Add([]byte("spec: {'serviceAccount': &a x, b: [*a]}\n---\nspec:\n  serviceAccount : x # why\n"))
	f.Add([]byte("{'': &a [*a]}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for i, doc := range Scan("fuzz.yaml", data).Docs {
			if doc.Parse() != nil || !doc.Exact {
				continue
			}
			for _, path := range allPaths(doc.Root, nil) {
				checkRenaming(t, data, i, path)
			}
		}
	})
}

func checkRenaming(t *testing.T, data []byte, index int, path Path) {
	t.Helper()
	const key = "renamedByTheFuzzer"
	before := parsed(t, data, index)
	edit, err := before.RenameField(path, key)
	if err != nil {
		var refused *RefusedError
		if !errors.As(err, &refused) {
			t.Fatalf("%v: %v", path, err)
		}
		return
	}
	edited, err := Apply(data, []Edit{edit})
	if err != nil {
		t.Fatal(err)
	}
	after := parsed(t, edited, index)
	parent, last := path[:len(path)-1], path[len(path)-1]
	renamed := after.Root.Lookup(parent).ownChild(key)
	value := before.Root.Lookup(parent).ownChild(last)
	if !Equal(value, parsed(t, data, index).Root.Lookup(parent).ownChild(last)) {
		return // a value that contains itself equals nothing
	}
	if renamed == nil || !Equal(value, renamed) {
		t.Fatalf("%v of %q became %q", path, data, edited)
	}
	back, err := after.RenameField(parent.Join(key), last)
	if err != nil {
		t.Fatalf("%v of %q cannot be renamed back: %v", path, edited, err)
	}
	if back.Start != edit.Start {
		t.Fatalf("%v of %q: another key was renamed in %q", path, data, edited)
	}
}
