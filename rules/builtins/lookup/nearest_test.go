package lookup

import (
	"fmt"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, refs, others, want string }{
		{"the same folder", `["a/x.yaml#0/"]`, `["a/y.yaml#0/", "a/b/y.yaml#0/", "y.yaml#0/"]`, `{"a/x.yaml#0/": {"a/b/y.yaml#0/", "a/y.yaml#0/"}}`},
		{"the deepest folder around", `["a/b/c/x.yaml#0/"]`, `["a/y.yaml#0/", "a/b/y.yaml#1/", "b/c/y.yaml#0/"]`, `{"a/b/c/x.yaml#0/": {"a/b/y.yaml#1/"}}`},
		{"the root has everything", `["x.yaml#0/"]`, `["y.yaml#0/", "a/y.yaml#0/"]`, `{"x.yaml#0/": {"a/y.yaml#0/", "y.yaml#0/"}}`},
		{"only the root is common", `["a/x.yaml#0/"]`, `["b/y.yaml#0/", "y.yaml#0/"]`, `{"a/x.yaml#0/": {"b/y.yaml#0/", "y.yaml#0/"}}`},
		{"names of folders are not cut", `["ab/x.yaml#0/"]`, `["a/y.yaml#0/", "ab/c/y.yaml#0/"]`, `{"ab/x.yaml#0/": {"ab/c/y.yaml#0/"}}`},
		{"a number sign in a folder", `["a#b/x.yaml#0/items/1"]`, `["a#b/y.yaml#0/", "a#c/y.yaml#0/"]`, `{"a#b/x.yaml#0/items/1": {"a#b/y.yaml#0/"}}`},
		{"sets", `{"a/x.yaml#0/", "b/x.yaml#0/"}`, `{"a/y.yaml#0/"}`, `{"a/x.yaml#0/": {"a/y.yaml#0/"}, "b/x.yaml#0/": {"a/y.yaml#0/"}}`},
		{"itself", `["a/x.yaml#0/"]`, `["a/x.yaml#0/"]`, `{"a/x.yaml#0/": {"a/x.yaml#0/"}}`},
		{"no others", `["a/x.yaml#0/"]`, `[]`, `{}`},
		{"no refs", `[]`, `["a/x.yaml#0/"]`, `{}`},
		{"no text", `[1]`, `["a/x.yaml#0/"]`, `<nil>`},
		{"no list", `["a/x.yaml#0/"]`, `3`, `<nil>`},
	}
	for _, test := range tests {
		value, err := nearestRefs(t.Context(), []*ast.Term{ast.MustParseTerm(test.refs), ast.MustParseTerm(test.others)})
		if got := fmt.Sprint(value); got != test.want || err != nil {
			t.Errorf("%s: %s (error %v), want %s", test.name, got, err, test.want)
		}
	}
}
