package wording

import (
	"strings"
	"testing"
)

func TestLength(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]int{
		"Role a is wrong.": 16,
		"Role a/" + strings.Repeat("b", 50) + " is wrong.": 4 + 1 + nameLength + 1 + 2 + 1 + 6,
	} {
		if got := Length(message); got != want {
			t.Errorf("%q: %d; want %d", message, got, want)
		}
	}
}

func TestBeforeRefusalRemedy(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"a/b is not fixed: c.yaml: it is shared: pass both paths": "a/b is not fixed: c.yaml: it is shared",
		"a/b is not fixed: it is shared":                          "a/b is not fixed: it is shared",
	} {
		if got := BeforeRefusalRemedy(message); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}

func TestBeforeRemedy(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		message, problem string
		ok               bool
	}{
		{"Role a is wrong. Remove it.", "Role a is wrong.", true},
		{"Role a is of v1.10. It fails. Remove it. Create another.", "Role a is of v1.10. It fails.", true},
		{"Role a is wrong. It fails.", "", false},
		{"Remove it.", "", false},
	} {
		problem, ok := BeforeRemedy(test.message)
		if ok != test.ok || ok && problem != test.problem {
			t.Errorf("%q: got %q, %t", test.message, problem, ok)
		}
	}
}
