package terminal

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrapped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		width      int
		in         []string
		want       string
		unfinished bool
	}{
		{name: "no terminal", in: []string{"one two three\n"}, want: "one two three\n"},
		{name: "narrow", width: 10, in: []string{"one two three four\n"}, want: "one two\nthree four\n"},
		{name: "fits", width: 13, in: []string{"one two three\n"}, want: "one two three\n"},
		{name: "indented", width: 30, in: []string{"  = a note that is too long for it\n"}, want: "  = a note that is too long\n      for it\n"},
		{name: "in pieces", width: 10, in: []string{"one tw", "o three\nf", "our\n"}, want: "one two\nthree\nfour\n"},
		{name: "colors have no width", width: 9, in: []string{"\x1b[1mone\x1b[0m \x1b[32mthree\x1b[0m\n"}, want: "\x1b[1mone\x1b[0m \x1b[32mthree\x1b[0m\n"},
		{name: "a command", width: 10, in: []string{"  $ salint lint --fix --prune\n"}, want: "  $ salint lint --fix --prune\n"},
		{name: "a long word", width: 10, in: []string{"see https://example.org/page now\n"}, want: "see\nhttps://example.org/page\nnow\n"},
		{name: "a word that fits with less indentation", width: 12, in: []string{"      [long-word]\n"}, want: " [long-word]\n"},
		{name: "a column that fits with less indentation", width: 26, in: []string{"a                 [] [/longer/column]\n"}, want: "a                 []\n    [/longer/column]\n"},
		{name: "a next line with less indentation", width: 26, in: []string{"                ab [/a/long/column/x]\n"}, want: "                ab\n      [/a/long/column/x]\n"},
		{name: "a long list", width: 12, in: []string{"in {one,two,three,four}.yaml now\n"}, want: "in {one,two,\nthree,\nfour}.yaml\nnow\n"},
		{name: "wide characters", width: 6, in: []string{"ウエブ ウエブ\n"}, want: "ウエブ\nウエブ\n"},
		{name: "a progress line", width: 10, in: []string{"\rreading many files 12/13"}, want: "\rreading many files 12/13"},
		{name: "no end", width: 10, in: []string{"one two three"}, want: "one two\nthree"},
		{name: "columns", width: 12, in: []string{"a    b    long words\n"}, want: "a    b\nlong words\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			w := NewWrapped(&out, c.width)
			for _, text := range c.in {
				if _, err := w.Write([]byte(text)); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, out.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
