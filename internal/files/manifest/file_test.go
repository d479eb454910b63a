package manifest_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/salint/salint/internal/files/manifest"
)

// TestPositionOnLongLine compares columns with a count from the start of the line, including code points that span the
// counted offsets, and bytes that are not code points.
func TestPositionOnLongLine(t *testing.T) {
	t.Parallel()
	for name, unit := range map[string]string{
		"one byte": "a", "two": "é", "three": "日", "four": "𝄞a", "not UTF-8": "\x80", "cut off": "\xe6\x97a",
	} {
		line := strings.Repeat(unit, 20_000/len(unit))
		for _, before := range []string{"", "\xef\xbb\xbf", "a: é\n"} {
			data := before + line + "\n" + line
			file := manifest.Scan("a.yaml", []byte(data))
			for _, at := range []int{len(before), len(before) + 4096, len(before) + 4099, len(before) + 12_345, len(before) + len(line)} {
				if _, got := file.Position(at); got != utf8.RuneCountInString(data[len(before):at])+1 {
					t.Errorf("%s behind %q: byte %d is in column %d", name, before, at, got)
				}
			}
			if _, got := file.Position(len(data)); got != utf8.RuneCountInString(line)+1 {
				t.Errorf("%s behind %q: the last column is %d", name, before, got)
			}
		}
	}
}
