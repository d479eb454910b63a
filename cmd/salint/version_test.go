package main

import (
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
)

// TestNoCollectionAtStart checks that the collector is set before the libraries that make the most garbage are initialized.
func TestNoCollectionAtStart(t *testing.T) {
	t.Parallel()
	command := exec.Command(os.Args[0], "version")
	command.Env = append(os.Environ(), asProgram+"=yes", "GODEBUG=gctrace=1", "GOGC=")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if strings.Contains(string(out), "\ngc ") || strings.HasPrefix(string(out), "gc ") {
		t.Errorf("garbage is collected in a short command:\n%s", out)
	}
}

func TestChooseVersion(t *testing.T) {
	t.Parallel()
	module := func(version string) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}}
	}
	tests := []struct {
		name, linked string
		info         *debug.BuildInfo
		want         string
	}{
		{"linked by the Makefile", "v0.1.0-3-gabcdef0", module("v0.0.9"), "0.1.0-3-gabcdef0"},
		{"a commit without any tag", "abcdef0", nil, "abcdef0"},
		{"go install of a release", "", module("v0.1.0"), "0.1.0"},
		{"go build without version control", "", module("(devel)"), "devel"},
		{"a test binary", "", module(""), "devel"},
		{"no build information", "", nil, "devel"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := chooseVersion(test.linked, test.info); got != test.want {
				t.Errorf("chooseVersion(%q) = %q, want %q", test.linked, got, test.want)
			}
		})
	}
}
