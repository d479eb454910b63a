package fixing

import (
	"strings"
	"testing"
)

// The detail of a long message is a related place; a short message keeps it.
func TestDetailOfALongReason(t *testing.T) {
	t.Parallel()
	long := "a/b is not fixed: not everything was read (x/k.yaml:3:5: \"m\" (n) is missing), so " + strings.Repeat("x", maxReason) + ": fix it"
	got, related := withoutDetail(long)
	if want := strings.Replace(long, ` (x/k.yaml:3:5: "m" (n) is missing)`, "", 1); got != want {
		t.Errorf("%q; want %q", got, want)
	}
	if len(related) != 1 || related[0].File != "x/k.yaml" || related[0].Line != 3 || related[0].Message != `"m" (n) is missing` {
		t.Errorf("related: %v", related)
	}
	short := "a/b is not fixed: not everything was read (x/k.yaml:3: gone), so wait"
	if got, related := withoutDetail(short); got != short || related != nil {
		t.Errorf("%q, %v; want %q", got, related, short)
	}
}
