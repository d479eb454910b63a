package versionrange_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/kube/versionrange"
)

func TestProblem(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]string{
		"1.2.3": "", "v1.2.3": "", "1.2": "", "1.x": "", "1.*": "", "*": "", ">=1.2.0, <2.0.0": "", ">=1.2.0 <2.0.0": "", "^1.2 || ^3": "",
		"~1.4": "", "1.2.3-rc.1": "", "1.2.3+build.5": "", " 1.0.0 ": "",
		"latest": "invalid version expression", "stable": "invalid version expression", "": "invalid version expression",
		"01.2.3": "invalid version expression", "1.2.3.4": "invalid version expression", "1.2.3 - 2.0.0": "invalid version expression",
		">= 1.2.0 and < 2":                       "invalid version expression",
		strings.Repeat("1.2.3 || ", 8) + "1.2.3": "more than 64 characters",
	} {
		got := versionrange.Problem(expression)
		if got != want && (want == "" || !strings.Contains(got, want)) {
			t.Errorf("%q: got %q, want %q", expression, got, want)
		}
	}
}

func TestAllows(t *testing.T) {
	t.Parallel()
	type answer struct{ allowed, ok bool }
	for given, want := range map[[2]string]answer{
		{"1.2.3", "1.2.3"}:            {true, true},
		{"1.2.3", "1.2.4"}:            {false, true},
		{"1.2.3", "1.2.3+5"}:          {true, true},
		{"1.x", "1.9.0"}:              {true, true},
		{">=2.0.0", "1.9.0"}:          {false, true},
		{"1.x", "1.9.0-rc.1"}:         {false, true}, // a range has prereleases only if it names one
		{">=1.9.0-0 <2", "1.9.0-rc1"}: {true, true},
		{"latest", "1.0.0"}:           {false, false},
		{"1.x", "one"}:                {false, false},
	} {
		allowed, ok := versionrange.Allows(given[0], given[1])
		if got := (answer{allowed, ok}); got != want {
			t.Errorf("%v: got %v, want %v", given, got, want)
		}
	}
}
