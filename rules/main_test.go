package rules_test

import (
	"os"
	"testing"

	"github.com/salint/salint/rules/sandbox"
)

// TestMain lets the test program act as the process that evaluates policies of users, as the program itself does.
func TestMain(m *testing.M) {
	if code, isChild := sandbox.Main(os.Args[1:], os.Stdin, os.Stdout); isChild {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
