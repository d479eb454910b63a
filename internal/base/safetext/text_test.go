package safetext

import "testing"

func TestText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain ~text":      "plain ~text",
		"für 日本 é 😀":       "für 日本 é 😀",
		"a\tb\nc\rd":       "a<U+0009>b<U+000A>c<U+000D>d",
		"\x1b[31mred\x7f":  "<U+001B>[31mred<U+007F>",
		"\u009b31m":        "<U+009B>31m",
		"\u202eevil\u2069": "<U+202E>evil<U+2069>",
		"no\u200bbreak":    "no<U+200B>break",
		"\u00a0":           "<U+00A0>",
		"\U000e0041":       "<U+E0041>",
		"\xff\xc3":         "<0xFF><0xC3>",
		"\ufffd":           "\ufffd",
		"##[stop]":         "##<U+005B>stop]",
	} {
		if got := Text(text); got != want {
			t.Errorf("Text(%q) = %q, want %q", text, got, want)
		}
	}
}
