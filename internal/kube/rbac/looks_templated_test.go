package rbac

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestLooksTemplated compares the hand-written search with regular expressions, for random texts of parts that matter.
func TestLooksTemplated(t *testing.T) {
	t.Parallel()
	plainWord := regexp.MustCompile(`^[A-Za-z0-9][-._:/A-Za-z0-9]*$`)
	placeholder := regexp.MustCompile(`[A-Z][A-Z_]|(?i:replace|placeholder|change|your|todo|example|xxx)|^(?i:(service[-_]?)?account[-_]?name)$`)
	parts := []string{
		"a", "A", "B", "9", "-", "_", ".", ":", "/", " ", "$(", "{{", "é", "\u212a", "service", "Service", "account", "ACCOUNT", "name", "Name", "x", "xx",
		"Replace", "place", "holder", "chang", "e", "your", "toDo", "exam", "ple",
	}
	for seed := range uint64(50_000) {
		random := rand.New(rand.NewPCG(seed, 0))
		var text strings.Builder
		for range random.IntN(6) {
			text.WriteString(parts[random.IntN(len(parts))])
		}
		want := Templated(text.String()) || !plainWord.MatchString(text.String()) || placeholder.MatchString(text.String())
		if got := looksTemplated(text.String()); got != want {
			t.Fatalf("%q: %v, want %v", text.String(), got, want)
		}
	}
}
