package outline

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

func TestHeader(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"apiVersion: v1\nkind: Pod\n":                                             "v1",
		"---\nkind: Pod # a comment\r\n\"apiVersion\": 'apps/v1'\n":               "apps/v1",
		"kind: Pod\napiVersion: v1\napiVersion: v2":                               "",
		"kind: Pod\nspec:\n  apiVersion: v2\n":                                    "",
		"apiVersion: &a v1\n":                                                     "",
		"apiVersion:\n":                                                           "",
		`{"kind": "Pod", "apiVersion": "v1", "spec": {"apiVersion": "v2"}}`:       "v1",
		`{"kind": "Pod", "kind": "Job", "apiVersion": "networking.k8s.io/v1b-2"}`: "networking.k8s.io/v1b-2",
	} {
		if _, got := Header([]byte(text)); got != want {
			t.Errorf("the version of %q is %q, want %q", text, got, want)
		}
	}
}

// TestKindOfRandomLines compares the pass over the lines with a regular expression.
func TestKindOfRandomLines(t *testing.T) {
	t.Parallel()
	const word = `([A-Za-z0-9]+)`
	field := regexp.MustCompile(`(?m)^(?:kind|"kind"|'kind')[ \t]*:[ \t][ \t\r]*(?:"` + word + `".*|'` + word + `'.*|` + word + `(?:[ \t].*|[ \t\r]*))$`)
	parts := []string{"kind", "kind", "kind:", ": ", "Pod", "Job", "\n", "\n", " ", `"`, "'", "#", "-", "k", "\t", "apiVersion: v1", "\r"}
	for seed := range uint64(20_000) {
		random := rand.New(rand.NewPCG(seed, 1))
		var text strings.Builder
		for range 2 + random.IntN(14) {
			text.WriteString(parts[random.IntN(len(parts))])
		}
		want := ""
		if found := field.FindAllStringSubmatch(text.String(), -1); len(found) == 1 {
			want = found[0][1] + found[0][2] + found[0][3]
		}
		if got, _ := Header([]byte(text.String())); got != want {
			t.Fatalf("seed %d: %q: %q, want %q", seed, text.String(), got, want)
		}
	}
}
