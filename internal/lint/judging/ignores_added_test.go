package judging

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAddedSpans checks with random texts that what is not in a span is in the earlier version, in the same sequence.
func TestAddedSpans(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(string(rune('a'+random.IntN(4))) + "\n")
		}
		return b.String()
	}
	for range 2000 {
		before, after := text(), text()
		kept, end := "", 0
		for _, s := range addedSpans([]byte(before), []byte(after)) {
			kept += after[end:s.Start]
			end = s.End
		}
		kept += after[end:]
		if !isSubsequence(kept, before) {
			t.Fatalf("%q -> %q: the lines %q count as those of before", before, after, kept)
		}
		if before == after && kept != after {
			t.Fatalf("%q: equal lines count as added", before)
		}
	}
	if spans := addedSpans([]byte("a\nb\n"), []byte("a\r\nb\r\n")); len(spans) > 0 {
		t.Errorf("converted line ends count as added: %v", spans)
	}
}

func isSubsequence(part, whole string) bool {
	for _, line := range strings.SplitAfter(part, "\n") {
		at := strings.Index(whole, line)
		if at < 0 {
			return false
		}
		whole = whole[at+len(line):]
	}
	return true
}
