package gitops

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

func TestParseImage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Image{
		"core:v2":                  {Name: "core", NewTag: "v2"},
		"host:5000/core":           {Name: "host:5000/core"},
		"host:5000/core:v2":        {Name: "host:5000/core", NewTag: "v2"},
		"core=host:5000/core:v2":   {Name: "core", NewName: "host:5000/core", NewTag: "v2"},
		"core@sha256:1":            {Name: "core", Digest: "sha256:1"},
		"core=other/core@sha256:1": {Name: "core", NewName: "other/core", Digest: "sha256:1"},
		"core=other":               {Name: "core", NewName: "other"},
	} {
		if got := parseImage(Field[string]{Value: text}); got.Name != want.Name || got.NewName != want.NewName || got.NewTag != want.NewTag || got.Digest != want.Digest {
			t.Errorf("%s: got %+v", text, got)
		}
	}
}

func TestPinned(t *testing.T) {
	t.Parallel()
	for revision, want := range map[string]bool{
		"": false, "main": false, "HEAD": false, "release-1.2": false, "feature/a.b.c": false, "..": false,
		"v1.2.3": true, "1.2.x": true, "refs/tags/a": true, "0123456789abcdef0123456789abcdef01234567": true,
	} {
		if got := pinned(revision); got != want {
			t.Errorf("%q: got %v", revision, got)
		}
	}
}
