package main

import (
	"os"
	"testing"

	"github.com/salint/salint/internal/render/process"
)

// TestMain lets the test program run as the child process that renders, like the program itself.
func TestMain(m *testing.M) {
	if code, isChild := process.Main(os.Args[1:], os.Stdin, os.Stdout); isChild {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
