package nearest_test

import (
	"slices"
	"testing"

	"github.com/salint/salint/internal/base/nearest"
)

func TestTypo(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"registry-pull", "regisrty-pull", true},
		{"registry-pull", "registy-pull", true},
		{"pull-secret", "pull-secrets", true},
		{"pull-secret", "pullsecret", true},
		{"quay-pull-sekret", "quay-pull-secret", true},
		{"pull-secret", "pull-secret", false},
		{"registry-1", "registry-2", false},
		{"registry", "registry2", false},
		{"pull-secret-dev", "pull-secret-de", false},
		{"pull-secret-a", "pull-secret-b", false},
		{"prod-pull", "prop-pull", false},
		{"pull-secret", "pull-secret-", true},
		{"regcred", "registry-credentials", false},
		{"secret", "tokens", false},
		{"a-b", "ab", false},
		{"", "a", false},
	} {
		if nearest.Typo(test.a, test.b) != test.want || nearest.Typo(test.b, test.a) != test.want {
			t.Errorf("%s and %s: want %t", test.a, test.b, test.want)
		}
		if test.want && !slices.ContainsFunc(nearest.TypoKeys(test.a), func(key string) bool {
			return slices.Contains(nearest.TypoKeys(test.b), key)
		}) {
			t.Errorf("%s and %s have no key in common", test.a, test.b)
		}
	}
}
