package generators

import "testing"

func TestPathspec(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, name string
		git, exact    bool
	}{
		{"clusters/*/config.json", "clusters/north/config.json", true, true},
		{"clusters/*/config.json", "clusters/north/deep/config.json", true, false},
		{"clusters/**/config.json", "clusters/north/deep/config.json", true, true},
		{"clusters/**/config.json", "clusters/config.json", false, true},
		{"clusters", "clusters/north/config.json", true, false},
		{"./clusters/north.json", "clusters/north.json", true, true},
		{"clusters/north.json", "clusters/north.json.bak", false, false},
		{"clusters/[a-m]*", "clusters/east.json", true, true},
		{"clusters/[!a-m]*", "clusters/east.json", false, false},
		{"clusters/n?rth", "clusters/north", true, true},
		{`clusters/\*`, "clusters/north", false, false},
		{"clusters/[", "clusters/[", true, false},
		{"c.d", "cxd", false, false},
	} {
		if got := pathspec(c.pattern)(c.name); got != c.git {
			t.Errorf("git: %s and %s: got %v", c.pattern, c.name, got)
		}
		if got := exactGlob(c.pattern)(c.name); got != c.exact {
			t.Errorf("exact: %s and %s: got %v", c.pattern, c.name, got)
		}
	}
}
