package repo

import (
	"testing"
)

func TestRel(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ root, workDir, file, want string }{
		{"/src", "/src", "a/b.yaml", "a/b.yaml"},
		{"/src", "/src/a", "a/b.yaml", "b.yaml"},
		{"/src", "/src/a/c", "b.yaml", "../../b.yaml"},
		{"/src/repo", "/src", "b.yaml", "repo/b.yaml"},
		{"/src", "/src/a", "a b/ü.yaml", "../a b/ü.yaml"},
		{"/src", "/other", "b.yaml", "../src/b.yaml"},
		{"/src", "/src/a", "-", "-"},
		{"", "", "b.yaml", "b.yaml"},
		{"/src", "relative", "b.yaml", "b.yaml"},
	} {
		if got := Rel(test.root, test.workDir, test.file); got != test.want {
			t.Errorf("Rel(%q, %q, %q) = %q, want %q", test.root, test.workDir, test.file, got, test.want)
		}
	}
}
