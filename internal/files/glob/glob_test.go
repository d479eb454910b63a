package glob_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/glob"
)

func TestPath(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern, path string
		match, covers bool
	}{
		{"**/testdata/**", "testdata", true, true},
		{"**/testdata/**", "a/testdata/x.yaml", true, true},
		{"**/testdata/**", "a/testdata.yaml", false, false},
		{"testdata", "a/testdata", true, true},
		{"testdata", "a/testdata/x/y.yaml", false, true},
		{"testdata/", "a/testdata", true, true},
		{"./old/", "old", true, true},
		{"/old", "old/x.yaml", false, true},
		{"/old", "a/old/x.yaml", false, false},
		{"*.gen.yaml", "a/b/c.gen.yaml", true, true},
		{"clusters/{old,older}/**", "clusters/older/x.yaml", true, true},
		{"clusters/*/x.yaml", "clusters/a/b/x.yaml", false, false},
	}
	for _, test := range tests {
		p, err := glob.ParsePath(test.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if p.Match(test.path) != test.match || p.Covers(test.path) != test.covers {
			t.Errorf("%s, %s: match %v, covers %v", test.pattern, test.path, p.Match(test.path), p.Covers(test.path))
		}
		if again, err := glob.ParsePath(p.String()); again != p || err != nil {
			t.Errorf("%s became %s, and that %s (%v)", test.pattern, p, again, err)
		}
	}
}

func TestPathBelow(t *testing.T) {
	t.Parallel()
	p, err := glob.ParsePath("*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p = p.Below("a[1]/{b}")
	for name, want := range map[string]bool{"a[1]/{b}/x.yaml": true, "a[1]/{b}/c/x.yaml": true, "a1/b/x.yaml": false, "x.yaml": false} {
		if p.Match(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	if p.Below(".") != p {
		t.Error("the root changes nothing")
	}
}

func TestRule(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"olm/*", "olm/apply-order", true}, {"olm/*", "pod/x", false}, {"*", "olm/apply-order", true}, {"**", "olm/apply-order", true},
		{"olm/apply-order", "olm/apply-order", true}, {"*/apply-*", "olm/apply-order", true}, {"olm", "olm/apply-order", false},
	} {
		if glob.Rule(test.pattern, test.name) != test.want {
			t.Errorf("%s, %s: %v", test.pattern, test.name, !test.want)
		}
	}
}

func TestInvalidPatterns(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		"": "is not a path pattern", "/": "is not a path pattern", "a[b": "not a valid pattern", "{a": "not a valid pattern",
		strings.Repeat("a", 2000):     "longer than",
		strings.Repeat("{a,b}", 20):   "more than 1000 alternatives",
		strings.Repeat("{a,b{}}", 20): "more than 1000 alternatives",
	} {
		if _, err := glob.ParsePath(pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", pattern, err)
		}
	}
	if err := glob.CheckRule("olm/["); err == nil {
		t.Error("no error")
	}
}
