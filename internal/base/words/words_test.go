package words

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWords(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b", "c"}
	for want, got := range map[string]string{
		"1 entry": Count(1, "entry"), "0 entries": Count(0, "entry"), "2 files": Count(2, "file"),
		"1 rule is": CountOf(1, "rule is", "rules are"), "3 rules are": CountOf(3, "rule is", "rules are"),
		"": And(nil), "a": And(names[:1]), "a and b": And(names[:2]), "a, b and c": And(names),
		"a, and 2 more": First(1, names), "a, b, c": First(3, names),
	} {
		if got != want {
			t.Errorf("%q instead of %q", got, want)
		}
	}
	if diff := cmp.Diff([]string{"a", "b"}, AddOnce(AddOnce([]string{"a"}, "b"), "a")); diff != "" {
		t.Error(diff)
	}
	if NotNil[int](nil) == nil {
		t.Error("nil")
	}
}
