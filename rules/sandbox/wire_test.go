package sandbox

import (
	"bytes"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
)

func TestMessageOfAValue(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`null`, `true`, `false`, `-1.5e3`, `""`, `"ä\u0000"`, `[]`, `{}`, `set()`, `{"a", 1}`, `[[], {"a": {"b": [null]}}, {1: "x"}]`,
	} {
		want := ast.MustParseTerm(text).Value
		sent, err := newKnownValues().encode(want, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := newKnownValues().decode(sent)
		if err != nil || got.Compare(want) != 0 {
			t.Errorf("%s: got %v, error %v", text, got, err)
		}
	}
}

// An object of the repository is sent once, and later by its number.
func TestMessageOfAKnownObject(t *testing.T) {
	t.Parallel()
	object := ast.MustParseTerm(`{"kind": "ServiceAccount", "metadata": {"name": "oven"}}`).Value.(ast.Object)
	ours, theirs := newKnownValues(), newKnownValues()
	send := func(from, to *knownValues, value ast.Value) (ast.Value, int) {
		sent, err := from.encode(value, func(o ast.Object) bool { return o == object })
		if err != nil {
			t.Fatal(err)
		}
		got, err := to.decode(sent)
		if err != nil {
			t.Fatal(err)
		}
		return got, len(sent)
	}
	first, long := send(ours, theirs, object)
	again, short := send(ours, theirs, ast.NewArray(ast.NewTerm(object)))
	if again.(*ast.Array).Elem(0).Value != first || short >= long {
		t.Errorf("the object was sent twice, in %d and %d bytes", long, short)
	}
	if back, _ := send(theirs, ours, first); back != ast.Value(object) {
		t.Error("the object that comes back is another one")
	}
}

func TestHostileMessages(t *testing.T) {
	t.Parallel()
	huge := []byte{0xff, 0xff, 0xff, 0xff, 0x07}
	for name, message := range map[string]wire{
		"empty":                {},
		"an unknown kind":      {200},
		"a text that is cut":   {wireString, 5, 'a'},
		"a long list":          append(wire{wireArray}, huge...),
		"a large object":       append(wire{wireObject}, huge...),
		"an endless number":    append(wire{wireString}, bytes.Repeat([]byte{0xff}, 20)...),
		"an unknown object":    {wireKnown, 1},
		"more than a value":    {wireTrue, wireTrue},
		"lists without an end": bytes.Repeat([]byte{wireArray, 1}, 1<<20),
		"lists that promise":   bytes.Repeat(append(wire{wireArray}, 0xff, 0xff, 0x03), 1<<18),
	} {
		if value, err := newKnownValues().decode(message); err == nil {
			t.Errorf("%s: got %v", name, value)
		}
	}
}
