package commandline

import (
	"strings"
	"testing"
)

func TestOutermost(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a a/b a-b a/b/c b": "a-b a b", ". a ../x": "../x .", "a a": "a", "": "",
	} {
		if got := strings.Join(Outermost(strings.Fields(in)), " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestQuote(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a/b.yaml": "a/b.yaml", "": "''", "it's": `'it'\''s'`, "a b$(id)": "'a b$(id)'", "a\nb": `$'a\x0ab'`, "x\u202ey'": `$'x\xe2\x80\xaey\''`,
	} {
		if got := quote(in); got != want {
			t.Errorf("quote(%q) = %s, want %s", in, got, want)
		}
	}
}
