package bundle

import (
	"strings"
	"testing"
)

// TestNameOf checks that the dash is not counted when deciding whether to cut: 63 bytes without it result in a name of 64.
func TestNameOf(t *testing.T) {
	tests := []struct{ base, suffix, want string }{
		{"till", "service", "till-service"},
		{strings.Repeat("a", 55), "service", strings.Repeat("a", 55) + "-service"},
		{strings.Repeat("a", 56), "service", strings.Repeat("a", 56) + "-service"},
		{strings.Repeat("a", 57), "service", strings.Repeat("a", 55) + "-service"},
	}
	for _, test := range tests {
		if got := nameOf(test.base, test.suffix); got != test.want {
			t.Errorf("%q and %q make %q (%d), want %q (%d)", test.base, test.suffix, got, len(got), test.want, len(test.want))
		}
	}
}

func TestServiceName(t *testing.T) {
	if got := serviceName("shop.operator.v1"); got != "shop-operator-v1-service" {
		t.Errorf("the service is %q", got)
	}
	long := strings.Repeat("b", 63)
	for _, name := range []string{serviceName(long), certificateName(long), issuerName(long)} {
		if len(name) != 63 {
			t.Errorf("%q has %d bytes", name, len(name))
		}
	}
}
