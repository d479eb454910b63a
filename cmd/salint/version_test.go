package main

import (
	"runtime/debug"
	"testing"
)

func TestChooseVersion(t *testing.T) {
	t.Parallel()
	module := func(version string) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}}
	}
	tests := []struct {
		name, stamp string
		info        *debug.BuildInfo
		want        string
	}{
		{"stamped by the Makefile", "v0.1.0-3-gabcdef0", module("v0.0.9"), "0.1.0-3-gabcdef0"},
		{"a commit without any tag", "abcdef0", nil, "abcdef0"},
		{"go install of a release", "", module("v0.1.0"), "0.1.0"},
		{"go build without version control", "", module("(devel)"), "devel"},
		{"a test binary", "", module(""), "devel"},
		{"no build information", "", nil, "devel"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := chooseVersion(test.stamp, test.info); got != test.want {
				t.Errorf("chooseVersion(%q) = %q, want %q", test.stamp, got, test.want)
			}
		})
	}
}
