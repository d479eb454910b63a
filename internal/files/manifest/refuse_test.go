package manifest

import (
	"errors"
	"strings"
	"testing"
)

func TestRemoveFieldRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ path, text, want string }{
		"value of an alias":              {"spec.sa.name", "x: &x {name: a}\nspec:\n  sa: *x\n  b: 1\n", "spec.sa.name comes from an alias"},
		"parent shared by alias":         {"one.sa", "one: &x\n  sa: {name: a}\n  b: 1\ntwo: *x\n", "one is also used by an alias"},
		"parent is merged":               {"one.sa", "one: &x\n  sa: {name: a}\n  b: 1\ntwo:\n  <<: *x\n", "one is also used by an alias"},
		"comes from a merge":             {"two.sa", "one: &x\n  sa: {name: a}\n  b: 1\ntwo:\n  <<: *x\n  c: 1\n", "two.sa comes from a merge key"},
		"anchor used outside":            {"spec.sa", "spec:\n  sa: &x {name: a}\n  b: *x\n", "it contains the anchor &x, which is used outside it"},
		"inner anchor needed":            {"spec.sa", "spec:\n  sa:\n    name: &n a\n  b: *n\n", "it contains the anchor &n, which is used outside it"},
		"explicit key":                   {"sa", "? sa\n: name\nb: 1\n", "an explicit key is not supported"},
		"missing":                        {"spec.sa", "spec:\n  b: 1\n", "spec.sa does not exist"},
		"comment before the comma":       {"sa", "{sa: 2 # two\n , a: 1}\n", "a comment stands before its comma"},
		"comment before the comma above": {"sa", "{a: 1 # one\n , sa: 2}\n", "a comment stands before the comma above it"},
		"lone carriage return":           {"sa", "a: 1\rsa: 2\n", "a carriage return without a line feed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, err := ParsePath(c.path)
			if err != nil {
				t.Fatal(err)
			}
			edit, err := parse(t, c.text).RemoveField(path)
			var refused *RefusedError
			if !errors.As(err, &refused) || !strings.Contains(refused.Reason, c.want) {
				t.Errorf("got edit %v and error %v, want a refusal with %q", edit, err, c.want)
			}
		})
	}
}
