package lazyregexp

import "testing"

func TestNew(t *testing.T) {
	digits := New(`[0-9]+`)
	if got := digits().FindString("a12b"); got != "12" {
		t.Errorf("found %q", got)
	}
	if first, second := digits(), digits(); first != second {
		t.Error("the expression was compiled twice")
	}
}

func TestInvalidExpressionFailsTests(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("New did not compile the expression in a test")
		}
	}()
	New(`(`)
}
