package reading

import (
	"math/rand"
	"regexp"
	"strings"
	"testing"
)

// TestBeginsWithPlaceholder compares the search with the regular expression that defines it.
func TestBeginsWithPlaceholder(t *testing.T) {
	t.Parallel()
	defined := regexp.MustCompile(`\bserviceAccount(?:Name)?["']?:\s*["']?(?:\$|\{\{|<)`)
	pieces := []string{
		"serviceAccount", "serviceAccount", "Name", `"`, "'", ":", ":", " ", "\n", "\t", "$", "{{", "{", "<", "a", "_", "-", "é", "\r", "0", "serviceAccountName: ",
	}
	r := rand.New(rand.NewSource(1))
	matched := 0
	for range 200_000 {
		var text strings.Builder
		for range 1 + r.Intn(9) {
			text.WriteString(pieces[r.Intn(len(pieces))])
		}
		data := []byte(text.String())
		want := defined.Match(data)
		if got := beginsWithPlaceholder(data); got != want {
			t.Fatalf("%q: %v, want %v", data, got, want)
		}
		if want {
			matched++
		}
	}
	if matched < 1000 {
		t.Errorf("only %d texts match", matched)
	}
}
