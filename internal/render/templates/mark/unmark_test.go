package mark

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/render/protocol"
	"github.com/salint/salint/internal/render/templates/source"
)

func marked(t *testing.T, text string) (string, []Piece) {
	t.Helper()
	f, err := source.Parse("t", text)
	if err != nil {
		t.Fatal(err)
	}
	m := &Marker{Files: []*source.File{f}}
	return m.Mark(0, func(string) bool { return false }), m.Pieces
}

func TestUnmark(t *testing.T) {
	text, pieces := marked(t, "ab\n cd ")
	tests := map[string]struct {
		marked, plain string
		want          []protocol.Piece
	}{
		"as it is":    {text, "ab\n cd ", []protocol.Piece{{0, 2, 0, 0, 2, -1}, {4, 6, 0, 4, 6, -1}}},
		"moved":       {strings.ReplaceAll(text, "\n", "\n  "), "ab\n   cd ", []protocol.Piece{{0, 2, 0, 0, 2, -1}, {6, 8, 0, 4, 6, -1}}},
		"in upper":    {strings.ToUpper(text), "AB\n CD ", []protocol.Piece{{0, 2, 0, 0, 2, -1}, {4, 6, 0, 4, 6, -1}}},
		"another":     {text, "ab\n ce ", nil},
		"longer":      {text, "ab\n cd  ", nil},
		"shorter":     {text, "ab\n cd", nil},
		"cut":         {text[:len(text)-5], "ab\n cd", nil},
		"cut in half": {text[6:], "ab\n cd ", nil},
		"twice":       {text + text, "ab\n cd ab\n cd ", []protocol.Piece{{0, 2, 0, 0, 2, -1}, {4, 6, 0, 4, 6, -1}, {7, 9, 0, 0, 2, -1}, {11, 13, 0, 4, 6, -1}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, ok := Unmark(test.marked, test.plain, pieces)
			if diff := cmp.Diff(test.want, got); diff != "" || ok != (test.want != nil) {
				t.Errorf("%v: -want +got:\n%s", ok, diff)
			}
		})
	}
}

// All returned pieces are within the text, and nested or disjoint.
func FuzzUnmark(f *testing.F) {
	template := "{{ define \"x\" }}\na: {{ .b }}\n{{ end }}c {{ block \"y\" . -}} d {{- end }}"
	f.Add(template, "\n", "")
	f.Add(template, "a", "\u28c0\u2840")
	f.Fuzz(func(t *testing.T, template, old, replacement string) {
		file, err := source.Parse("t", template)
		if err != nil || old == "" {
			return
		}
		m := &Marker{Files: []*source.File{file}}
		text := strings.Replace(m.Mark(0, func(string) bool { return false }), old, replacement, 2)
		plain := strings.Map(func(r rune) rune {
			if r >= firstMark && r <= lastMark {
				return -1
			}
			return r
		}, text)
		pieces, ok := Unmark(text, plain, m.Pieces)
		if !ok {
			return
		}
		for i, piece := range pieces {
			parent := piece[protocol.PieceParent]
			if piece[protocol.PieceStart] > piece[protocol.PieceEnd] || piece[protocol.PieceEnd] > len(plain) || parent >= i {
				t.Fatalf("piece %v of %q", piece, plain)
			}
			if parent >= 0 && (pieces[parent][protocol.PieceStart] > piece[protocol.PieceStart] || pieces[parent][protocol.PieceEnd] < piece[protocol.PieceEnd]) {
				t.Fatalf("piece %v is not in %v", piece, pieces[parent])
			}
		}
	})
}
