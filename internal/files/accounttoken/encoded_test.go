package accounttoken

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEncoded compares the parts that are base64 with those that expressions find.
func TestEncoded(t *testing.T) {
	t.Parallel()
	oneLine := regexp.MustCompile(`[A-Za-z0-9+/]{80,}={0,2}`)
	lines := regexp.MustCompile(`[A-Za-z0-9+/]{60,}(?:\r?\n[ \t]*[A-Za-z0-9+/]+)+={0,2}`)
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "Z9+/", strings.Repeat("b", 59), strings.Repeat("c", 60), strings.Repeat("d", 80), "=", "==", "\n", "\r\n", "\n \t", ": ", "\r"}
	for range 20_000 {
		var text strings.Builder
		for range random.IntN(9) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		for inLines, form := range map[bool]*regexp.Regexp{false: oneLine, true: lines} {
			var want [][2]int
			for _, at := range form.FindAllStringIndex(text.String(), -1) {
				want = append(want, [2]int{at[0], at[1]})
			}
			if diff := cmp.Diff(want, encoded(text.String(), inLines)); diff != "" {
				t.Fatalf("%q, in lines: %t (-want +got):\n%s", text.String(), inLines, diff)
			}
		}
	}
}
