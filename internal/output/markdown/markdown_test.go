package markdown

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestEscapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, plain, tags string }{
		{"argocd-installer", "argocd-installer", "argocd-installer"},
		{"a|b", `a\|b`, "a&#124;b"},
		{"<script>", "&lt;script&gt;", "&lt;script&gt;"},
		{"@team and #12", `&#64;team and \#12`, "&#64;team and &#35;12"},
		{"`x` **y** _z_", "\\`x\\` \\*\\*y\\*\\* \\_z\\_", "&#96;x&#96; &#42;&#42;y&#42;&#42; &#95;z&#95;"},
		{"[a](https://b)", `\[a\](https&#58;//b)`, "&#91;a&#93;(https&#58;//b)"},
		{"a\nb\x1b[2J \u202e", `a&lt;U+000A&gt;b&lt;U+001B&gt;\[2J &lt;U+202E&gt;`, "a&lt;U+000A&gt;b&lt;U+001B&gt;&#91;2J &lt;U+202E&gt;"},
		{"&amp; \\", `\&amp; \\`, "&amp;amp; &#92;"},
	} {
		if diff := cmp.Diff([]string{c.plain, c.tags}, []string{Text(c.text), InTags(c.text)}); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestFenceIsLongerThanItsContent(t *testing.T) {
	t.Parallel()
	got := Fenced("diff", []string{"+a", "+````", "-b"}, "  ")
	if want := "  `````diff\n  +a\n  +````\n  -b\n  `````\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCommentIsNeverTooLong(t *testing.T) {
	t.Parallel()
	c := &Comment{}
	for range 100 {
		c.Part(strings.Repeat("ü", 1000))
	}
	c.Close(strings.Repeat("ß", 1000))
	if n := utf8.RuneCountInString(c.String()); n > Limit || n < Limit-1500 || c.Left != 35 {
		t.Errorf("%d characters, %d parts left out", n, c.Left)
	}
}
