package nearest_test

import (
	"testing"

	"github.com/salint/salint/internal/base/nearest"
)

func TestName(t *testing.T) {
	t.Parallel()
	candidates := []string{"severity", "kinds", "words", "fix"}
	for name, want := range map[string]string{
		"severty": "severity", "Kinds": "kinds", "kindz": "kinds", "word": "words", "xif": "",
		"completely-different": "", "": "",
	} {
		if got := nearest.Name(name, candidates); got != want {
			t.Errorf("Name(%q) = %q, want %q", name, got, want)
		}
	}
}
