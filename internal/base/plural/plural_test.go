package plural_test

import (
	"testing"

	"github.com/salint/salint/internal/base/plural"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"0 files": plural.Of(0, "file"), "1 file": plural.Of(1, "file"), "2 files": plural.Of(2, "file"), "1 identity": plural.Of(1, "identity"), "3 identities": plural.Of(3, "identity"),
		"1 rule is": plural.Words(1, "rule is", "rules are"), "2 rules are": plural.Words(2, "rule is", "rules are"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
