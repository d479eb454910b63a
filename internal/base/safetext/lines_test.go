package safetext

import (
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"::error::x\n":   "<U+003A>:error::x\n",
		"a::b\n \t::c\n": "a::b\n \t<U+003A>:c\n",
		"a\r::b":         "a\r<U+003A>:b",
		": a\n:\n::":     ": a\n:\n<U+003A>:",
		"a\n\n\n::b":     "a\n\n\n<U+003A>:b",
	} {
		var out strings.Builder
		if _, err := io.WriteString(NewLines(&out), text); err != nil || out.String() != want {
			t.Errorf("%q: %q, %v, wanted %q", text, out.String(), err, want)
		}
		var bytewise strings.Builder
		lines := NewLines(&bytewise)
		for i := range len(text) {
			if _, err := lines.Write([]byte{text[i]}); err != nil {
				t.Fatal(err)
			}
		}
		if strings.Contains("\n"+strings.NewReplacer(" ", "", "\t", "", "\r", "\n").Replace(bytewise.String()), "\n::") {
			t.Errorf("%q, written in parts: %q", text, bytewise.String())
		}
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	if got := Limit("short"); got != "short" {
		t.Error(got)
	}
	got := Limit("a" + strings.Repeat("ü", MaxMessage))
	if !utf8.ValidString(got) || len(got) > MaxMessage+len("…") || !strings.HasSuffix(got, "ü…") {
		t.Errorf("%d bytes, ends in %q", len(got), got[len(got)-8:])
	}
}
