package lsp

import (
	"math/rand"
	"runtime"
	"strings"
	"testing"
)

// TestPositions converts positions to offsets and back, in both encodings.
func TestPositions(t *testing.T) {
	t.Parallel()
	text := newText("a\r\né😀x\rlast\n")
	for _, test := range []struct {
		offset int
		in16   position
		in8    position
	}{
		{0, position{0, 0}, position{0, 0}},
		{1, position{0, 1}, position{0, 1}},
		{3, position{1, 0}, position{1, 0}},
		{5, position{1, 1}, position{1, 2}},
		{9, position{1, 3}, position{1, 6}},
		{10, position{1, 4}, position{1, 7}},
		{11, position{2, 0}, position{2, 0}},
		{15, position{2, 4}, position{2, 4}},
		{16, position{3, 0}, position{3, 0}},
	} {
		for encoding, p := range map[string]position{utf16Encoding: test.in16, utf8Encoding: test.in8} {
			if got := text.position(test.offset, encoding); got != p {
				t.Errorf("%s: the position of %d is %v, want %v", encoding, test.offset, got, p)
			}
			if got, err := text.offset(p, encoding); got != test.offset || err != nil {
				t.Errorf("%s: the offset of %v is %d, %v, want %d", encoding, p, got, err, test.offset)
			}
		}
	}
	for _, test := range []struct {
		name, encoding string
		p              position
		want           int
	}{
		{"behind the end of a line", utf16Encoding, position{0, 99}, 1},
		{"behind the last line", utf16Encoding, position{99, 3}, 16},
		{"between the units of a character", utf16Encoding, position{1, 2}, 5},
		{"inside of a character", utf8Encoding, position{1, 1}, 3},
	} {
		if got, err := text.offset(test.p, test.encoding); got != test.want || err != nil {
			t.Errorf("%s: %d, %v, want %d", test.name, got, err, test.want)
		}
	}
	if _, err := text.offset(position{-1, 0}, utf16Encoding); err == nil {
		t.Error("no error for a negative line")
	}
}

// TestTextEdits checks that the edits of a random change lead from one text to the other, as an editor applies them.
func TestTextEdits(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewSource(1))
	pieces := []string{"a\n", "b: é\n", "😀\r\n", "\n", "  c", "# d\n"}
	random := func() string {
		var b strings.Builder
		for range r.Intn(8) {
			b.WriteString(pieces[r.Intn(len(pieces))])
		}
		return b.String()
	}
	for _, encoding := range []string{utf16Encoding, utf8Encoding} {
		for range 500 {
			before, after := random(), random()
			text := newText(before)
			edits := textEdits(before, after, encoding)
			for i := len(edits) - 1; i >= 0; i-- { // the ranges are about the text before all edits
				var err error
				if text, err = text.changed([]contentChange{{&edits[i].Range, edits[i].NewText}}, encoding); err != nil {
					t.Fatal(err)
				}
			}
			if text.content != after {
				t.Fatalf("%q to %q: got %q with %+v", before, after, text.content, edits)
			}
		}
	}
}

// TestPaths converts URIs to paths, and back.
func TestPaths(t *testing.T) {
	t.Parallel()
	paths := map[string]string{
		"file:///a/b%20c.yaml":           "/a/b c.yaml",
		"file:///a/../b.yaml":            "/b.yaml",
		"file://localhost/a.yaml":        "/a.yaml",
		"file:///a/%F0%9F%98%80%23.yaml": "/a/😀#.yaml",
	}
	if runtime.GOOS == "windows" {
		paths = map[string]string{
			"file:///c%3A/a/b%20c.yaml":         `c:\a\b c.yaml`,
			"file:///C:/a/../b.yaml":            `C:\b.yaml`,
			"file:///d:/a/%F0%9F%98%80%23.yaml": `d:\a\😀#.yaml`,
		}
	}
	for uri, want := range paths {
		got, err := pathOf(uri)
		if err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", uri, got, err, want)
		}
		if back, err := pathOf(uriOf(got)); back != got || err != nil {
			t.Errorf("%s: %s, %v", uriOf(got), back, err)
		}
	}
	for _, uri := range []string{"untitled:1", "file://server/a.yaml", "file:a.yaml", "%zz", "", "file:///a%00.yaml"} {
		if got, err := pathOf(uri); err == nil {
			t.Errorf("%s: %s", uri, got)
		}
	}
}
