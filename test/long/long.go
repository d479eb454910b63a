// Package long divides tests that make up their input, or sweep over many cases, into a short run for every change and a long one. Only
// tests import it. `make test` runs the short one, and `make long` the long one.
package long

import (
	"maps"
	"os"
	"slices"
)

// Enabled reports whether SALINT_LONG is set, so that tests run long. A test must call this, Runs or Part itself: `make long` finds it by that.
func Enabled() bool { return os.Getenv("SALINT_LONG") != "" }

// Runs returns how often a test runs: few times, or many if tests run long.
func Runs(few, many int) int {
	if Enabled() {
		return many
	}
	return few
}

// Part returns the names of all cases if tests run long, and otherwise every n-th, in their order.
func Part[V any](cases map[string]V, n int) (names []string) {
	for i, name := range slices.Sorted(maps.Keys(cases)) {
		if i%Runs(n, 1) == 0 {
			names = append(names, name)
		}
	}
	return names
}
