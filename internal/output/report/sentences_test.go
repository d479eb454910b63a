package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestProse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]span{
		"plain":           {{false, "plain"}},
		"the `x` of `y`.": {{false, "the "}, {true, "x"}, {false, " of "}, {true, "y"}, {false, "."}},
		"one ` alone":     {{false, "one "}, {false, "` alone"}},
		"":                nil,
		"`a\x1b`":         {{true, "a<U+001B>"}},
	} {
		if diff := cmp.Diff(want, prose(text)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", text, diff)
		}
	}
	for text, want := range map[string]string{"one\ntwo\n\nthree": "one two", "One. Two\nthat\n\n* is": "One.", "One: two.": "One: two.", "* One `a`.\n  More.\n* Two * 2.": "One `a`. More. Two * 2."} {
		if got := firstParagraph(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
