package wording

import "testing"

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
