// Package lazyregexp compiles regular expressions when they are first used, so that a short command does not wait for those
// of others.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// inTests compiles at once, so that a test of any package finds an invalid expression of that package.
var inTests = strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New returns a function with the compiled expression, which is for the variables of packages. Like regexp.MustCompile, it
// panics if the expression is invalid: at once in tests, otherwise when the function is first called.
func New(expression string) func() *regexp.Regexp {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
	if inTests {
		compiled()
	}
	return compiled
}
