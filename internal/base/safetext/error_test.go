package safetext

import (
	"errors"
	"fmt"
	"testing"
)

func TestError(t *testing.T) {
	t.Parallel()
	inner := errors.New("a\x1b[2J")
	tests := map[string]struct {
		err  error
		want string
	}{
		"plain":            {errors.New("no such folder"), "no such folder"},
		"control":          {inner, "a<U+001B>[2J"},
		"joined":           {errors.Join(inner, errors.New("b")), "a<U+001B>[2J\nb"},
		"joined, wrapped":  {fmt.Errorf("x: %w!", errors.Join(inner, errors.New("b"))), "x: a<U+001B>[2J\nb!"},
		"several wrapped":  {fmt.Errorf("%w and %w", inner, errors.New("b\nc")), "a<U+001B>[2J and b\n  c"},
		"a forged line":    {errors.New("no extension \"x\nsalint: all is well\""), "no extension \"x\n  salint: all is well\""},
		"a command":        {errors.New("x\n ::stop-commands::y"), "x\n   <U+003A>:stop-commands::y"},
		"a joined command": {errors.Join(errors.New("x"), errors.New("::error::y")), "x\n<U+003A>:error::y"},
		"nothing within":   {fmt.Errorf("x %w", errors.New("")), "x "},
	}
	for name, test := range tests {
		if got := Error(test.err); got != test.want {
			t.Errorf("%s: %q, wanted %q", name, got, test.want)
		}
	}
}
