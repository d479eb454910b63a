package manifest

import (
	"errors"
	"testing"
)

func TestUnload(t *testing.T) {
	t.Parallel()
	const text = "kind: A\n---\nkind: B\n"
	gone := errors.New("a.yaml: gone")
	for name, c := range map[string]struct {
		again string
		err   error
		want  string
	}{
		"the same":   {again: text},
		"changed":    {again: text + "#", want: "a.yaml has changed since it was read: run the command again"},
		"shorter":    {again: "kind", want: "a.yaml has changed since it was read: run the command again"},
		"unreadable": {err: gone, want: "a.yaml: gone"},
	} {
		source := NewSource(func(string) ([]byte, error) { return []byte(c.again), c.err })
		f := Scan("a.yaml", []byte(text))
		f.Docs[0].Kind()
		search := NewSearch(f.Docs[0])
		search.Find()
		f.Unload(source)
		if f.Data != nil || !f.Unloaded() || f.Docs[0].Kind() != "A" || !NewFilter(map[string][]string{"A": nil}).Selects(search) {
			t.Errorf("%s: the file is not unloaded", name)
		}
		if source.Err() != nil {
			t.Errorf("%s: it is read without need", name)
		}
		wanted := "---\nkind: B\n"
		if c.want != "" {
			wanted = "            " // as long as before, because spans point into it
		}
		if got := string(f.Docs[1].Bytes()); got != wanted || f.Data != nil {
			t.Errorf("%s: the second document is %q", name, got)
		}
		f.Reload()
		if f.Unloaded() || c.want == "" && string(f.Data) != text || len(f.Data) != len(text) {
			t.Errorf("%s: reloaded %q", name, f.Data)
		}
		if err := source.Err(); (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%s: got the error %v", name, err)
		}
	}
}

// TestUnloadNothing unloads files without documents, and reloads one that is not unloaded.
func TestUnloadNothing(t *testing.T) {
	t.Parallel()
	f := Scan("a.yaml", []byte("# nothing\n"))
	f.Unload(NewSource(func(string) ([]byte, error) { panic("read") }))
	f.Reload()
	if f.Unloaded() || len(f.Data) == 0 {
		t.Error("a file without documents is unloaded")
	}
}
