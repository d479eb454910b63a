package session

import (
	"os"
	"testing"

	"github.com/salint/salint/internal/render/process"
	"github.com/salint/salint/rules/sandbox"
)

// TestMain lets the test program act as the child process that builds, as salint itself does.
func TestMain(m *testing.M) {
	if code, isChild := process.Main(os.Args[1:], os.Stdin, os.Stdout); isChild {
		os.Exit(code)
	}
	if code, isChild := sandbox.Main(os.Args[1:], os.Stdin, os.Stdout); isChild {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
